"""How good estimates from bursts are, and what they cost: D'Elia, Demetrescu and Finocchi, SPE 2015, figure 12, on our programs.

Every program is run exactly once, and with each kind of bursts in several runs, whose mean is shown; runs of all variants alternate. Time is
the least user time of a variant's runs, as a ratio to that of plain clang -O2.

    python3 bench/lab/bursts.py                  all programs, 7 runs; writes the table in docs/sampling.md
    python3 bench/lab/bursts.py --runs=3 parser  one program, 3 runs; prints only
"""
import argparse
import json
import os
import resource
import subprocess
import sys

sys.path[:0] = [os.path.dirname(os.path.dirname(os.path.abspath(__file__))), os.path.dirname(os.path.abspath(__file__))]
import lab
import programs
import shell

PHI = "1e-4"
TAUS = [0.01, 0.025, 0.05]
KINDS = [
    ("every call", ""),
    ("no call", "counting=off"),
    ("20 ms : 4 ms", "burst=on:interval=20ms:length=4ms"),
    ("40 ms : 4 ms", "burst=on:interval=40ms:length=4ms"),
    ("80 ms : 4 ms", "burst=on:interval=80ms:length=4ms"),
    ("20 ms : 4 ms, adaptive", "burst=adaptive:interval=20ms:length=4ms"),
    ("40 ms : 4 ms, adaptive", "burst=adaptive:interval=40ms:length=4ms"),
]


def subjects():
    return {one.name: one for one in (lab.Subject("duktape", lab.duktape("duktape.js")), lab.Subject("sqlite", programs.sqlite()),
                                      lab.Subject("parser", lab.own("parser", "900")))}


def run(subject, binary, options, path):
    """User time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    variables = dict(os.environ, LC_ALL="C", HCCT_OPTIONS=f"output='{path}':{options}")
    done = subprocess.run(["setarch", "-R", binary] + subject.arguments, env=variables, input=(subject.stdin or "").encode(),
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        shell.fail(f"{binary} with {options}: status {done.returncode}, {done.stderr.decode(errors='replace')}")
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def shares(path):
    """Of each context, by its path of functions and sites, in that file's N; and the whole."""
    done = subprocess.run([os.path.join(shell.HCCT, "bin", "hcct-decode"), "--format=json", path], stdout=subprocess.PIPE, check=True)
    profile, paths, found = json.loads(done.stdout), [], {}
    for node in profile["nodes"]:
        above = paths[node["parent"]] if node["parent"] >= 0 else 0
        paths.append(hash((above, profile["frames"][node["frame"]]["linkage"], node["site"] and node["site"]["id"])))
        if node["hot"]:
            found[paths[-1]] = node["count"] / profile["calls"]
    return found, profile


def held_against(exact, true_shares, path):
    taus = ",".join(str(tau) for tau in TAUS)
    compared = lab.output_of([os.path.join(shell.HCCT, "bin", "hcct-compare"), "--format=json", f"--phi={PHI}", f"--tau={taus}", exact, path])
    found, profile = shares(path)
    estimate = profile.get("estimate")
    errors = [abs(found[key] / share - 1) for key, share in true_shares.items() if key in found]
    counted = estimate["observed"] if estimate else compared["calls_hot"]
    return {"calls": compared["calls_hot"] / compared["calls_exact"], "counted": counted / compared["calls_exact"],
            "bursts": estimate["bursts"] if estimate else None, "overlap": compared["degree_of_overlap"],
            "cover": compared["hot_edge_coverage"], "error": compared["avg_counter_error"], "share_error": 100 * mean(errors)}


def mean(values):
    return sum(values) / len(values)


def measure(subject, runs):
    plain, binary = lab.build_subject(subject, "plain"), lab.build_subject(subject, "hcct")
    exact, path = os.path.join(lab.FOLDER, "exact.bin"), os.path.join(lab.FOLDER, "estimate.bin")
    run(subject, binary, "mode=cct", exact)
    times, found = {None: []}, {}
    true_shares, _ = shares(exact)
    for _ in range(runs):
        times[None].append(run(subject, plain, "", path))
        for title, options in KINDS:
            print(f"{subject.name}: {title}", file=sys.stderr)
            times.setdefault(title, []).append(run(subject, binary, options, path))
            if options != "counting=off":
                found.setdefault(title, []).append(held_against(exact, true_shares, path))
    rows = []
    for title, options in KINDS:
        got, ratio = found.get(title), min(times[title]) / min(times[None])
        cells = [subject.program.title, title, f"{ratio:.2f}"]
        if got:
            bursts = f"{mean([one['bursts'] for one in got]):.0f}" if got[0]["bursts"] is not None else ""
            cells += [bursts, f"{mean([one['counted'] for one in got]):.1%}", f"{mean([one['calls'] for one in got]):.2f}",
                      f"{mean([one['error'] for one in got]):.1f}%", f"{mean([one['overlap'] for one in got]):.1%}"]
            cells.insert(-1, f"{mean([one['share_error'] for one in got]):.1f}%")
            cells += [f"{mean([one['cover'][i] for one in got]):.1%}" for i in range(len(TAUS))]
        else:
            cells += [""] * (6 + len(TAUS))
        rows.append("| " + " | ".join(cells) + " |")
    return rows


def main():
    parser = argparse.ArgumentParser(prog="bench/lab/bursts.py", description="Measures estimates from bursts.")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--build", default=shell.HCCT, help="the folder where hcct was built (build)")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    lab.use_build(os.path.abspath(options.build), True)
    titles = ["program", "counted", "user time ÷ plain", "bursts", "calls counted", "N ÷ exact", "counter error", "error of shares", "overlap"]
    titles += [f"cover τ={tau}" for tau in TAUS]
    lines = ["| " + " | ".join(titles) + " |", "|---|---|" + "---:|" * (len(titles) - 2)]
    for name, subject in subjects().items():
        if not options.names or name in options.names:
            lines += measure(subject, options.runs)
    lines += ["", f"phi = {PHI}. Means of {options.runs} runs, each held against one exact run, mostly by `hcct-compare`: the mean counter error over the contexts that",
              "are hot in both, the same of their shares of N, the cover of the contexts with at least τ times the hottest one's calls. User time: the least of these runs."]
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if not options.names:
        shell.write_document(shell.source("docs", "sampling.md"), text)


if __name__ == "__main__":
    main()
