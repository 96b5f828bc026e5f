"""How good estimates from bursts are, and what they cost: D'Elia, Demetrescu and Finocchi, SPE 2015, figure 12, on our programs.

Every program is run exactly once, and with each kind of bursts in several runs of some 10 s, whose mean is shown; runs of all variants alternate. The threshold of
exhaustive counting is phi N / H, H the calls of the hottest context: what it counts is hot from there on. Cost is the least user and system time of
those runs, and the instructions of one small run, by callgrind, bursts included: as valgrind is some 100 times as slow, they are 100 times as long there.
Where it ends the program with "Can't extend stack … during signal delivery", as 3.19 does by chance, nothing is told.

    python3 lab/figures/bursts.py                   all programs, 2 runs, about 20 minutes on an idle machine; writes the table in docs/sampling.md
    python3 lab/figures/bursts.py --runs=7 duktape  one program, 7 runs; the others' rows are those of their last run, if there was one (build/lab/bursts.json)
    python3 lab/figures/bursts.py --longer=4 sqlite runs four times as long, with every call counted and with bursts of 2 ms; writes nothing
"""
import argparse
import json
import math
import os
import re
import resource
import subprocess
import sys

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), *parts) for parts in (("..", "..", "bench"), ())]
import lab
import programs
import shell

PHI = "1e-4"
TIMES = [1, 2, 4]  # the exhaustive threshold
KINDS = [
    ("every call", ""),
    ("no call", "counting=off"),
    ("20 ms : 2 ms", (20000, 2000, "on")),
    ("5 ms : 0.5 ms", (5000, 500, "on")),
    ("10 ms : 0.5 ms", (10000, 500, "on")),
    ("5 ms : 0.5 ms, adaptive", (5000, 500, "adaptive")),
    ("8 ms : 0.2 ms", (8000, 200, "on")),
    ("2 ms : 0.2 ms, adaptive", (2000, 200, "adaptive")),
]
SLOWNESS = 100  # of valgrind, about


def options_of(kind, slowness=1):
    """HCCT_OPTIONS of a kind: text, or interval and length in microseconds and the kind of burst."""
    if isinstance(kind, str):
        return kind
    interval, length, burst = kind
    return f"burst={burst}:interval={interval * slowness}us:length={length * slowness}us"


def subjects(longer):
    """{name: (what runs for some 10 s, or `longer` times that; the workload that callgrind sees)}"""
    found = {}
    for name, program, arguments, stdin in (
            ("duktape", lab.duktape("duktape.js"), [programs.rounds_file(160 * longer), shell.source("bench", "workloads", "duktape.js")], None),
            ("sqlite", programs.sqlite(), [":memory:"], programs.sqlite_script(60000, 200 * longer)),
            ("libsass", programs.libsass(), 24 * longer * [shell.source("bench", "workloads", "styles.scss")], None),
            ("virtual", programs.PROGRAMS["virtual"](), [str(240000 * longer)], None)):
        program.workloads["lab"] = programs.Workload(*arguments, stdin=stdin)
        found[name] = lab.Subject(name, program), programs.PROGRAMS[name]().workloads["tiny"]
    return found


def instructions(subject, binary, small, options):
    """Of a copy without debug information, which valgrind need not read."""
    stripped, out = (os.path.join(lab.FOLDER, f"{subject.name}-{name}") for name in ("stripped", "instructions.bin"))
    subprocess.run(["strip", "-o", stripped, binary], check=True)
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", stripped] + small.arguments
    done = subprocess.run(command, env=dict(os.environ, HCCT_OPTIONS=f"output='{out}':{options}"), input=(small.stdin or "").encode(), cwd=lab.FOLDER,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if b"during signal delivery" in done.stderr:
        return None
    if done.returncode:
        shell.fail(f"{subject.name}: {done.stderr.decode(errors='replace')}")
    return int(re.search(rb"Collected : (\d+)", done.stderr)[1]) / 1e6


def run(subject, binary, options, path):
    """User and system time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    variables = dict(os.environ, LC_ALL="C", HCCT_OPTIONS=f"output='{path}':{options}")
    done = subprocess.run(["setarch", "-R", binary] + subject.arguments, env=variables, input=(subject.stdin or "").encode(),
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        shell.fail(f"{binary} with {options}: status {done.returncode}, {done.stderr.decode(errors='replace')}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def contexts(path):
    """{path of functions and sites: node} of the hot contexts and what calls them; and the whole."""
    done = subprocess.run([os.path.join(shell.HCCT, "bin", "hcct-decode"), "--format=json", path], stdout=subprocess.PIPE, check=True)
    profile, paths, found = json.loads(done.stdout), [], {}
    for node in profile["nodes"]:
        above = paths[node["parent"]] if node["parent"] >= 0 else 0
        paths.append(hash((above, profile["frames"][node["frame"]]["linkage"], node["site"] and node["site"]["id"])))
        found[paths[-1]] = node
    return found, profile


def hot_contexts(path):
    """The hot ones only."""
    found, profile = contexts(path)
    return {key: node for key, node in found.items() if node["hot"]}, profile


def is_inside(node, share):
    """Whether the interval of that estimate has the true share."""
    return node["share_low"] <= share <= node["share_high"]


def held_against(exact, truth, path):
    """`truth`: {context: its share} of the exact run."""
    threshold = float(PHI) / max(truth.values())
    taus = ",".join(str(times * threshold) for times in TIMES)
    compared = lab.output_of([os.path.join(shell.HCCT, "bin", "hcct-lab"), "metrics", "--format=json", f"--phi={PHI}", f"--tau={taus}", exact, path])
    found, profile = hot_contexts(path)
    estimate, calls = profile.get("estimate"), profile["calls"]
    both = {key: share for key, share in truth.items() if key in found}
    got = {"overlap": compared["degree_of_overlap"],
           "counted": (estimate["observed"] if estimate else calls) / compared["calls_exact"],
           "share_error": 100 * mean([abs(found[key]["count"] / calls / share - 1) for key, share in both.items()])}
    got.update({f"cover {times}": cover for times, cover in zip(TIMES, compared["hot_edge_coverage"])})
    if estimate:
        got["bursts"] = estimate["bursts"]
        got["inside"] = mean([is_inside(found[key], share) for key, share in both.items()])
        got["trials"] = estimate["effective_bursts"]
    return got


def mean(values):
    return sum(values) / len(values)


def interval(share, trials):
    """Wilson's, as text."""
    z = 1.96
    middle, half = share + z * z / 2 / trials, z * math.sqrt(share * (1 - share) / trials + z * z / 4 / trials / trials)
    return f"{(middle - half) / (1 + z * z / trials):.1%}–{(middle + half) / (1 + z * z / trials):.1%}"


COLUMNS = [("bursts", "{:.0f}"), ("counted", "{:.1%}"), ("share_error", "{:.1f}%"), ("overlap", "{:.1%}")]
COLUMNS += [(f"cover {times}", "{:.2%}") for times in TIMES] + [("inside", "{:.1%}")]


def row(subject, title, cost, times, got):
    """`got`: what was found in each run."""
    cells = [subject.program.title, title, f"{cost:.0f}" if cost else "", f"{min(times):.2f}"]
    for name, form in COLUMNS:
        values = [one[name] for one in got if name in one]
        cells.append(form.format(mean(values)) if values else "")
    trials = [one["trials"] for one in got if "trials" in one]
    return "| " + " | ".join(cells + [interval(0.01, mean(trials)) if trials else ""]) + " |"


def measure(subject, small, runs, kinds, counted):
    plain, binary = lab.build_subject(subject, "plain"), lab.build_subject(subject, "hcct")
    exact, path = (os.path.join(lab.FOLDER, f"{subject.name}-{name}") for name in ("exact.bin", "estimate.bin"))
    run(subject, binary, "mode=cct", exact)
    contexts, whole = hot_contexts(exact)
    truth = {key: node["count"] / whole["calls"] for key, node in contexts.items()}
    cost = {title: counted and instructions(subject, binary, small, options_of(kind, SLOWNESS)) for title, kind in kinds}
    cost["plain clang"] = counted and instructions(subject, plain, small, "")
    times, found = {"plain clang": []}, {}
    for _ in range(runs):
        times["plain clang"].append(run(subject, plain, "", path))
        for title, kind in kinds:
            print(f"{subject.name}: {title}", file=sys.stderr, flush=True)
            times.setdefault(title, []).append(run(subject, binary, options_of(kind), path))
            if kind != "counting=off":
                found.setdefault(title, []).append(held_against(exact, truth, path))
    rows = [row(subject, title, cost[title], times[title], found.get(title, [])) for title in times]
    return {"rows": rows, "threshold": f"{subject.program.title} {float(PHI) / max(truth.values()):.2g}", "runs": runs}


def read_kept(path):
    return json.loads(shell.read(path)) if os.path.exists(path) else {}


def main():
    parser = argparse.ArgumentParser(prog="lab/figures/bursts.py", description="Measures estimates from bursts.")
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--longer", type=int, default=1)
    parser.add_argument("--build", default=shell.HCCT, help="the folder where hcct was built (build)")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    lab.use_build(os.path.abspath(options.build), False)
    titles = ["program", "counted", "instructions, millions", "time, s", "bursts", "calls counted", "error of shares", "overlap"]
    titles += [f"cover, τ = {times} θ" for times in TIMES] + ["in their interval", "interval of 1%"]
    lines = ["| " + " | ".join(titles) + " |", "|---|---|" + "---:|" * (len(titles) - 2)]
    kept = os.path.join(lab.FOLDER, "bursts.json")
    everything = subjects(options.longer)
    for name, (subject, small) in everything.items():
        if options.names and name not in options.names:
            continue
        if options.longer > 1:
            print("\n".join(lines + measure(subject, small, options.runs, [KINDS[0], KINDS[2]], False)["rows"]))
        else:
            found = measure(subject, small, options.runs, KINDS, True)
            shell.write(kept, json.dumps({**read_kept(kept), name: found}, indent=1))
    if options.longer > 1:
        return
    known = {name: read_kept(kept)[name] for name in everything if name in read_kept(kept)}
    lines += [line for one in known.values() for line in one["rows"]]
    thresholds = [one["threshold"] for one in known.values()]
    runs = sorted({one["runs"] for one in known.values()})
    lines += ["", f"phi = {PHI}. Means of {' or '.join(map(str, runs))} run{'s' * (runs != [1])}, each held against one exact run, mostly by `hcct-lab metrics`: the mean error of the shares of the contexts that",
              "are hot in both, the cover of the contexts with at least τ times the hottest one's calls; θ = phi N / H, from where on counting every",
              f"call covers all: {', '.join(thresholds)}. In their interval: of the contexts that are hot in both, by their share of N. Time: user and system, the least of",
              f"{'these' if runs != [1] else 'it'}. Instructions: of one small run, by callgrind, with bursts {SLOWNESS} times as long."]
    text = "\n".join(lines) + "\n"
    print(text, end="")
    shell.write_document(shell.source("docs", "sampling.md"), text)


if __name__ == "__main__":
    main()
