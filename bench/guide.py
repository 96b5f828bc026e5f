"""What a guide saves: how many calls pushed because of back edges and cut edges (bench/pushes.py), without a guide and with one that the compiler
had, and the user time of both. The guide is the profile of the first on the program's tiny workload; the short one is timed, which does more of the same.

    python3 bench/guide.py                  prints the table in docs/performance/tables.md; with --write, writes it there
    python3 bench/guide.py --flto gawk      programs of programs.py, linked as whole programs
"""
import argparse
import datetime
import os

import pairs
import runs
import shell
from build import build
from programs import PROGRAMS
from pushes import count_pushes
from variants import BUILDS, Build, Variant, hcct

ROUNDS = 7


def profile(path, workload):
    """Of a run that keeps all contexts."""
    return runs.leave(Variant("training", None, options="mode=cct:output=ids.bin"), path, workload, "ids.bin")


def row(program, whole):
    names = {"plain": "lto", "unguided": "hcct-lto"} if whole else {"plain": "plain", "unguided": "hcct"}
    binaries = {kind: build(program, name).path for kind, name in names.items()}
    guide = profile(binaries["unguided"], program.workloads["tiny"])
    BUILDS["guided"] = Build(hcct(environment=[f"HCCT_GUIDE={guide}"]), BUILDS[names["unguided"]].flags, hcct=True)
    binaries["guided"] = build(program, "guided").path
    pushes = [count_pushes(path) for path in (guide, profile(binaries["guided"], program.workloads["tiny"]))]
    measure = lambda kind: runs.run(Variant(kind, kind, options=""), binaries[kind], program.workloads["short"])
    rounds = [pairs.run_round({"plain": ["unguided", "guided"]}, number, measure) for number in range(ROUNDS)]
    times = [pairs.spread(pairs.ratios(pairs.pairs_of(rounds, kind, "plain"), lambda run: run.user)) for kind in ("unguided", "guided")]
    calls = sum(pushes[0].values())
    shares = [f"{result['back or cut edge'] / calls:.2%}" for result in pushes]
    cells = [program.title + (", -flto" if whole else ""), str(calls), *shares, *(f"{one:.2f} ({least:.2f}–{most:.2f})" for one, least, most in times)]
    return f"| {' | '.join(cells)} |"


def main():
    parser = argparse.ArgumentParser(prog="bench/guide.py", description="Measures what --hcct-guide saves.")
    parser.add_argument("--build", metavar="FOLDER", help="another build of hcct")
    parser.add_argument("--flto", action="store_true", help="whole programs")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("program", nargs="*", default=["duktape", "sqlite", "cpython", "perl"])
    options = parser.parse_args()
    if options.build:
        shell.use_build(options.build)
    os.makedirs(shell.BUILD, exist_ok=True)
    if unknown := [name for name in options.program if name not in PROGRAMS]:
        shell.fail(f"no program {unknown[0]}")
    lines = ["| program | calls of a tiny run | pushes at back and cut edges | with a guide | user time ÷ plain | with a guide |", "|---|---:|---:|---:|---:|---:|"]
    print("\n".join(lines))
    for name in options.program:
        lines.append(row(PROGRAMS[name](), options.flto))
        print(lines[-1], flush=True)
    if options.write:
        made = f"{datetime.date.today()}, {shell.processor_name()}, {os.cpu_count()} processors, commit {shell.commit()}, made by `python3 bench/guide.py --write`"
        shell.write_document(shell.TABLES, "\n".join(lines) + f"\n\nMedians of {ROUNDS} rounds (least–greatest). {made}.\n", "guide")


main()
