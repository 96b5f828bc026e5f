"""How often what is told of estimates from bursts is true: the interval of each context's share.

Every program is run exactly once, and then many times, for a fraction of a second each, with bursts; its contexts with at least 0.01% of the
calls are looked for in each run. 190 of 200 is what 95% promises. How fast the machine is plays no part: only what else it does.

    python3 lab/figures/intervals.py                  all programs, 200 runs each; writes the table in docs/sampling.md
    python3 lab/figures/intervals.py --runs=20 fib    one program, 20 runs; prints its row
    python3 lab/figures/intervals.py --burst=adaptive all programs with adaptive bursts; prints the table
"""
import argparse
import math
import os
import statistics
import sys

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), *parts) for parts in (("..", "..", "bench"), ())]
import bursts
import lab
import programs
import shell
from programs import Workload

LEAST = 1e-4  # share


def subjects():
    """What runs for a tenth of a second or some."""
    own = programs.PROGRAMS
    chosen = {
        "leaf": (own["leaf"](), ["40"], None),
        "fib": (own["fib"](), ["13", "40000"], None),
        "virtual": (own["virtual"](), ["8000"], None),
        "duktape": (lab.duktape("duktape.js"), [programs.rounds_file(3), shell.source("bench", "workloads", "duktape.js")], None),
        "sqlite": (programs.sqlite(), [":memory:"], programs.sqlite_script(4000, 5)),
        "libsass": (programs.libsass(), [shell.source("bench", "workloads", "styles.scss")], None),
    }
    for name, (program, arguments, stdin) in chosen.items():
        program.workloads["lab"] = Workload(*arguments, stdin=stdin)
        yield lab.Subject(name, program)


def shares_of(path):
    """{path of functions and sites: node} of the contexts with a count; and the whole."""
    counts, profile = bursts.contexts(path)
    return {key: node for key, node in counts.items() if node["count"] is not None}, profile


def looked_at(truth, path):
    """N by the exact one, bursts, and the contexts whose interval does not hold."""
    calls, shares = truth
    found, profile = shares_of(path)
    estimate = profile["estimate"]
    trials = estimate["effective_bursts"]
    nothing = {"share_low": 0, "share_high": 3.8415 / (trials + 3.8415)}  # Wilson's, of none
    outside = {name: [key for key, share in shares.items() if not is_inside(found.get(key, nothing), name, share)] for name in ("share", "own")}
    widths = [(node["own_high"] - node["own_low"]) / (node["share_high"] - node["share_low"]) for key, node in found.items() if key in shares and "trials" in node]
    return profile["calls"] / calls, estimate["bursts"], outside, widths


def is_inside(node, name, share):
    """Whether the interval has the share; a context without one of its own has that for the worst case."""
    name = name if name + "_low" in node else "share"
    return node[name + "_low"] <= share <= node[name + "_high"]


def measure(subject, kind, runs):
    """A row of the table."""
    binary = lab.build_subject(subject, "hcct")
    exact, path = (os.path.join(lab.FOLDER, f"{subject.name}-{name}") for name in ("intervals-exact.bin", "intervals.bin"))
    bursts.run(subject, binary, "mode=cct", exact)
    counts, profile = shares_of(exact)
    calls = profile["calls"]
    shares = {key: node["count"] / calls for key, node in counts.items() if node["count"] >= LEAST * calls}
    ratios, bursts_seen, widths, missed = [], [], [], {name: {key: 0 for key in shares} for name in ("share", "own")}
    for _ in range(runs):
        bursts.run(subject, binary, f"burst={kind}:interval=2ms:length=200us", path)
        ratio, count, outside, found = looked_at((calls, shares), path)
        widths += found
        ratios.append(ratio)
        bursts_seen.append(count)
        for name, keys in outside.items():
            for key in keys:
                missed[name][key] += 1
    inside, own = ([runs - count for count in missed[name].values()] for name in ("share", "own"))
    return (f"| {subject.program.title} | `{kind}` | {sorted(bursts_seen)[runs // 2]} | {statistics.mean(ratios):.2f} ± {1.96 * statistics.stdev(ratios) / math.sqrt(runs):.3f} | "
            f"{len(shares)} | {min(inside)} of {runs} | {100 * sum(inside) / len(inside) / runs:.1f}% | "
            f"{min(own)} of {runs} | {100 * sum(own) / len(own) / runs:.1f}% | {statistics.median(widths) if widths else 1:.3f} |")


def main():
    parser = argparse.ArgumentParser(prog="lab/figures/intervals.py", description="Counts how often intervals of estimates from bursts hold.")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--burst", default="on", help="or adaptive")
    parser.add_argument("--build", default=shell.HCCT, help="the folder where hcct was built (build)")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    lab.use_build(os.path.abspath(options.build), False)
    lines = ["| program | `burst` | bursts | N ÷ exact | contexts | at the worst: the one whose interval holds least often | all of them | own: least often | all | width |",
             "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|"]
    print("\n".join(lines), flush=True)
    for subject in subjects():
        if options.names and subject.name not in options.names:
            continue
        lines.append(measure(subject, options.burst, options.runs))
        print(lines[-1], flush=True)
    if not options.names and options.burst == "on":
        shell.write_document(shell.source("docs", "sampling.md"), "\n".join(lines) + "\n", "intervals")


if __name__ == "__main__":
    main()
