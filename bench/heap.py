"""What heap profilers cost: user and system time and peak memory, in rounds that run each of them beside what it is compared with (pairs.py).

    scripts/bench-heap                        SQLite, Duktape, libsass and two programs that do little but allocate; writes docs/performance/tables.md
    scripts/bench-heap --rounds=5 sqlite      these, of bench/programs.py and "allocate", "allocate-threads"
    scripts/bench-heap --variants=plain,dhat  some of the columns, of bench/variants.py
    scripts/bench-heap --instructions         instructions by callgrind, of short runs, and hcct only

A ratio is the median of those of two runs that follow each other; of hcct also to ids alone.
"""
import os
import statistics
import sys

import build
import pairs
import programs
import runs
import shell
from programs import Program, Workload
from variants import VARIANTS, impossible

COUNTED = ["plain", "ids", "heap-sample", "heap"]
NAMES = ["plain", "ids", "heap-sample", "heap", "heaptrack", "dhat", "massif", "gperftools", "jemalloc"]
OWN = {
    "allocate": lambda: Program("allocate", [shell.source("bench", "programs", "allocate.cpp")], title="10 million small objects",
                                workloads={"short": Workload("10000000", "1000000", "1"), "tiny": Workload("1000000", "100000", "1")}),
    "allocate-threads": lambda: Program("allocate-threads", [shell.source("bench", "programs", "allocate.cpp")], libraries=["-lpthread"], threads=2,
                                        title="the same in 4 threads", workloads={"short": Workload("10000000", "1000000", "4"), "tiny": Workload("1000000", "100000", "4")}),
}


def measure(program, count, variants):
    """Rounds, as pairs.py has them; variants that cannot be run are missing."""
    able = [name for name in variants if not impossible(VARIANTS[name], program)]
    plan = {"plain": [name for name in able if name != "plain"], "ids": ["heap"] if {"ids", "heap"} <= set(able) else []}
    if not plan["plain"]:
        plan[""] = ["plain"]
    paths = {name: build.build(program, VARIANTS[name].build).path for name in {"plain", *able}}
    run = lambda name: runs.run(VARIANTS[name], paths[name], program.workloads["short"], program.threads)
    return [pairs.run_round(plan, number, run) for number in range(count)]


def seconds(run):
    return run.user + run.system


def ratio(rounds, name, base):
    return statistics.median(pairs.ratios(pairs.pairs_of(rounds, name, base), seconds))


def row(program, rounds, variants):
    cells = []
    for name in variants:
        ran = pairs.runs_of(rounds, name)
        time = lambda: f"{statistics.median(map(seconds, ran)):.2f} s" if name == "plain" else f"{ratio(rounds, name, 'plain'):.2f}"
        cells.append(f"{time()}, {statistics.median(run.peak for run in ran):.0f} MB" if ran else "-")
    if {"ids", "heap"} <= set(variants):
        cells.append(f"{ratio(rounds, 'heap', 'ids'):.2f}")
    return f"| {program.title} | {' | '.join(cells)} |"


def counted_row(program):
    counts = {name: runs.count_instructions(VARIANTS[name], build.build(program, VARIANTS[name].build).path, program.workloads["tiny"])[0]
              for name in COUNTED}
    cells = [f"{counts['plain'] / 1e6:.0f} million"] + [f"{counts[name] / counts['plain']:.3f}" for name in COUNTED[1:]]
    return f"| {program.title} | {' | '.join(cells)} | {counts['heap-sample'] / counts['ids']:.3f} | {counts['heap'] / counts['ids']:.3f} |"


def main():
    rounds, names, counts, variants = 5, [], False, NAMES
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(__doc__.strip())
        return
    for argument in sys.argv[1:]:
        if argument.startswith("--rounds="):
            rounds = int(argument.split("=")[1])
        elif argument.startswith("--variants="):
            variants = argument.split("=")[1].split(",")
        elif argument == "--instructions":
            counts = True
        else:
            names.append(argument)
    if counts:
        titles = [VARIANTS[name].title for name in COUNTED] + ["heap_sample to ids alone", "metric=heap to ids alone"]
    else:
        titles = [VARIANTS[name].title for name in variants] + ["metric=heap to ids alone"] * ({"ids", "heap"} <= set(variants))
    lines = [f"| program | {' | '.join(titles)} |", "|---|" + "---:|" * len(titles)]
    print("\n".join(lines))
    for name in names or ["sqlite", "duktape", "libsass", *OWN]:
        program = (OWN.get(name) or programs.PROGRAMS[name])()
        lines.append(counted_row(program) if counts else row(program, measure(program, rounds, variants), variants))
        print(lines[-1], flush=True)
    if not names and variants == NAMES:
        shell.write_document(shell.TABLES, "\n".join(lines) + "\n", "heap instructions" if counts else "heap")


if __name__ == "__main__":
    main()
