"""How good estimates from bursts are, and what they cost: D'Elia, Demetrescu and Finocchi, SPE 2015, figure 12, on our programs.

Every program is run exactly once, and with each kind of bursts in several runs, whose mean is shown; runs of all variants alternate. The threshold of exhaustive
counting is phi N / H, H the calls of the hottest context: what it counts is hot from there on. Cost is that of one small run in instructions, by callgrind, as time
tells nothing where the machine is busy; of bursts it follows from the share of calls that they counted, as valgrind does not deliver each signal.

    python3 bench/lab/bursts.py                   both programs, 3 runs; writes the table in docs/sampling.md
    python3 bench/lab/bursts.py --runs=7 duktape  one program, 7 runs; prints only
"""
import argparse
import json
import os
import re
import subprocess
import sys

sys.path[:0] = [os.path.dirname(os.path.dirname(os.path.abspath(__file__))), os.path.dirname(os.path.abspath(__file__))]
import lab
import programs
import shell

PHI = "1e-4"
TIMES = [1, 2, 4]  # the exhaustive threshold
KINDS = [
    ("every call", ""),
    ("no call", "counting=off"),
    ("20 ms : 2 ms", "burst=on:interval=20ms:length=2ms"),
    ("5 ms : 0.5 ms", "burst=on:interval=5ms:length=500us"),
    ("20 ms : 0.5 ms", "burst=on:interval=20ms:length=500us"),
    ("5 ms : 0.5 ms, adaptive", "burst=adaptive:interval=5ms:length=500us"),
    ("2 ms : 0.2 ms, adaptive", "burst=adaptive:interval=2ms:length=200us"),
]


def subjects():
    """With the workload that callgrind sees."""
    found = [(lab.Subject("duktape", lab.duktape("duktape.js")), programs.duktape().workloads["tiny"]),
             (lab.Subject("sqlite", programs.sqlite()), programs.sqlite().workloads["tiny"])]
    return {one.name: (one, small) for one, small in found}


def instructions(subject, binary, small, options):
    """Of a copy without debug information, which valgrind need not read."""
    stripped, out = os.path.join(lab.FOLDER, "stripped"), os.path.join(lab.FOLDER, "instructions.bin")
    subprocess.run(["strip", "-o", stripped, binary], check=True)
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", stripped] + small.arguments
    done = subprocess.run(command, env=dict(os.environ, HCCT_OPTIONS=f"output='{out}':{options}"), input=(small.stdin or "").encode(), cwd=lab.FOLDER,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        shell.fail(f"{subject.name}: {done.stderr.decode(errors='replace')}")
    return int(re.search(rb"Collected : (\d+)", done.stderr)[1]) / 1e6


def run(subject, binary, options, path):
    variables = dict(os.environ, LC_ALL="C", HCCT_OPTIONS=f"output='{path}':{options}")
    done = subprocess.run(["setarch", "-R", binary] + subject.arguments, env=variables, input=(subject.stdin or "").encode(),
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        shell.fail(f"{binary} with {options}: status {done.returncode}, {done.stderr.decode(errors='replace')}")


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
    threshold = float(PHI) / max(true_shares.values())
    taus = ",".join(str(times * threshold) for times in TIMES)
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


def measure(subject, small, runs):
    plain, binary = lab.build_subject(subject, "plain"), lab.build_subject(subject, "hcct")
    exact, path = os.path.join(lab.FOLDER, "exact.bin"), os.path.join(lab.FOLDER, "estimate.bin")
    run(subject, binary, "mode=cct", exact)
    found, rows, cost = {}, [], {"plain clang": instructions(subject, plain, small, "")}
    true_shares, _ = shares(exact)
    for _ in range(runs):
        for title, options in KINDS:
            print(f"{subject.name}: {title}", file=sys.stderr)
            if "burst" not in options:
                cost[title] = cost.get(title) or instructions(subject, binary, small, options)
            if options != "counting=off":
                run(subject, binary, options, path)
                found.setdefault(title, []).append(held_against(exact, true_shares, path))
    all_calls, no_call = (cost[title] for title, _ in KINDS[:2])
    for title in ["plain clang"] + [title for title, _ in KINDS]:
        got = found.get(title)
        amount = f"{cost[title]:.0f}" if title in cost else f"≈ {no_call + mean([one['counted'] for one in got]) * (all_calls - no_call):.0f}"
        cells = [subject.program.title, title, amount]
        if got:
            bursts = f"{mean([one['bursts'] for one in got]):.0f}" if got[0]["bursts"] is not None else ""
            cells += [bursts, f"{mean([one['counted'] for one in got]):.1%}", f"{mean([one['calls'] for one in got]):.2f}",
                      f"{mean([one['error'] for one in got]):.1f}%", f"{mean([one['share_error'] for one in got]):.1f}%", f"{mean([one['overlap'] for one in got]):.1%}"]
            cells += [f"{mean([one['cover'][i] for one in got]):.2%}" for i in range(len(TIMES))]
        else:
            cells += [""] * (6 + len(TIMES))
        rows.append("| " + " | ".join(cells) + " |")
    threshold = float(PHI) / max(true_shares.values())
    return rows, f"{subject.program.title} {threshold:.2g}"


def main():
    parser = argparse.ArgumentParser(prog="bench/lab/bursts.py", description="Measures estimates from bursts.")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--build", default=shell.HCCT, help="the folder where hcct was built (build)")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    lab.use_build(os.path.abspath(options.build), True)
    titles = ["program", "counted", "instructions, millions", "bursts", "calls counted", "N ÷ exact", "counter error", "error of shares", "overlap"]
    titles += [f"cover, τ = {times} θ" for times in TIMES]
    thresholds = []
    lines = ["| " + " | ".join(titles) + " |", "|---|---|" + "---:|" * (len(titles) - 2)]
    for name, (subject, small) in subjects().items():
        if not options.names or name in options.names:
            rows, threshold = measure(subject, small, options.runs)
            lines += rows
            thresholds.append(threshold)
    lines += ["", f"phi = {PHI}. Means of {options.runs} runs, each held against one exact run, mostly by `hcct-compare`: the mean counter error over the contexts that",
              "are hot in both, the same of their shares of N, the cover of the contexts with at least τ times the hottest one's calls; θ = phi N / H, from where on counting every",
              f"call covers all: {', '.join(thresholds)}. Instructions: of one small run, by callgrind."]
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if not options.names:
        shell.write_document(shell.source("docs", "sampling.md"), text)


if __name__ == "__main__":
    main()
