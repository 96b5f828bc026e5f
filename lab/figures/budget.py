"""What budget=10% keeps: processor time against the same program without counting, and what its profile is worth.

Every program is run exactly once. Then it runs with counting=off, with every call counted and with each budget, in turns; the ratios are those of
runs that follow each other. The bounds of shares are looked at in each run with a budget, of all contexts that are hot in the exact one.

    python3 lab/figures/budget.py                    7 rounds of each program; writes the table in docs/performance/tables.md
    python3 lab/figures/budget.py --runs=3 virtual   one program, 3 rounds; prints its row
"""
import argparse
import json
import os
import resource
import statistics
import subprocess
import sys

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), *parts) for parts in (("..", "..", "bench"), ())]
import lab
import programs
import shell
from programs import Workload

BUDGETS = ["budget=10%", "budget=50%"]
PROGRAMS = ["sqlite", "libsass", "virtual", "dispatch"]


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


def subject_of(name):
    program = programs.PROGRAMS[name]()
    if name == "libsass":  # about a second
        program.workloads["lab"] = Workload(*8 * [shell.source("bench", "workloads", "styles.scss")])
    else:
        program.workloads["lab"] = program.workloads["long"]
    return lab.Subject(name, program)


def spread(ratios):
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f})"


def percent(share):
    return f"{100 * share:.{0 if share >= 0.1 else 1}f}%"


def looked_at(truth, path):
    """Bursts, and the hot contexts whose bounds hold, of how many. A profile in which every call was counted has no bounds, and needs none."""
    found, profile = contexts(path)
    estimate = profile.get("estimate")
    if not estimate:
        return 0, profile["calls"], len(truth), len(truth)
    trials = estimate["effective_bursts"]
    nothing = {"share_low": 0, "share_high": 3.8415 / (trials + 3.8415)}  # Wilson's, of none
    held = sum(is_inside(found[key] if key in found and "share_low" in found[key] else nothing, share) for key, share in truth.items())
    return estimate["bursts"], estimate["observed"], held, len(truth)


def measure(name, runs):
    subject = subject_of(name)
    binary = lab.build_subject(subject, "hcct")
    exact, path = (os.path.join(lab.FOLDER, f"{name}-{what}.bin") for what in ("budget-exact", "budget"))
    run(subject, binary, "mode=cct", exact)
    hot, profile = hot_contexts(exact)
    calls = profile["calls"]
    truth = {key: node["count"] / calls for key, node in hot.items() if node["count"] is not None}
    kinds = [("every call", "mode=hcct")] + [(f"`{budget}`", budget) for budget in BUDGETS]
    ratios, seen = {kind: [] for kind, _ in kinds}, {kind: [] for kind, _ in kinds}
    for _ in range(runs):
        for kind, options in kinds:
            without = run(subject, binary, "counting=off", path)
            ratios[kind].append(run(subject, binary, options, path) / without)
            seen[kind].append(looked_at(truth, path))
    rows = []
    for kind, options in kinds:
        row = f"| {subject.program.title} | {kind} | {spread(ratios[kind])} |"
        if options == "mode=hcct":
            rows.append(row + " 100% | | |")
            continue
        counts, observed, held, of = zip(*seen[kind])
        rows.append(row + f" {percent(statistics.median(observed) / calls)} | {statistics.median(counts):g} | {sum(held)} of {sum(of)} |")
    return "\n".join(rows)


def main():
    parser = argparse.ArgumentParser(prog="lab/figures/budget.py", description="Measures what a budget keeps, and what its profile is worth.")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--build", default=shell.HCCT, help="the folder where hcct was built (build)")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    lab.use_build(os.path.abspath(options.build), False)
    lines = ["| program | counted | user and system time ÷ `counting=off` | calls counted | bursts | hot contexts whose bounds hold |", "|---|---|---:|---:|---:|---:|"]
    print("\n".join(lines), flush=True)
    for name in options.names or PROGRAMS:
        lines.append(measure(name, options.runs))
        print(lines[-1], flush=True)
    if not options.names:
        shell.write_document(shell.TABLES, "\n".join(lines) + "\n", "budgets")


if __name__ == "__main__":
    main()
