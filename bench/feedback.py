"""Measures what a profile does for the program when clang compiles it again: hcct's contexts as a sample profile, against plain
-O2 and against clang's own instrumented profile (-fprofile-generate, -fprofile-use).

What the profiles are made from is not what is measured: another script, other queries, other text (dispatch: a shorter run). Each variant runs right
before or after plain -O2; a ratio is that of these two runs (pairs.py). Instructions are counted by callgrind, once, of a shorter run.

    scripts/bench-feedback                         Duktape, SQLite, gawk, dispatch; writes the table in docs/compiler.md
    scripts/bench-feedback --rounds=9 gawk         one program, 9 rounds
    scripts/bench-feedback --no-write              only prints
"""
import argparse
import datetime
import os
import shutil
import statistics
import sys

import pairs
import runs
import shell
from build import build
from programs import PROGRAMS, Workload
from shell import BUILD, CLANG, HCCT, fail, read, run_quietly, source
from variants import BUILDS, Build, Variant, clang, hcct

FLAGS = ["-gline-tables-only", "-fdebug-info-for-profiling"]
DEFAULT = ["duktape", "sqlite", "gawk", "dispatch"]
TITLES = {
    "plain": "clang -O2",
    "contexts": "-fprofile-sample-use, all contexts",
    "bounded": "-fprofile-sample-use, mode=hcct",
    "pgo": "-fprofile-use",
}


def workload(name):
    return source("bench", "workloads", name)


def training(program):
    """What its profiles are made from."""
    return {
        "duktape": lambda: Workload(source("scripts", "demo.js")),
        "sqlite": lambda: Workload(":memory:", stdin=read(workload("training.sql")) + 4 * read(workload("training_queries.sql"))),
        "gawk": lambda: Workload("-v", "rounds=600", "-f", workload("training.awk")),
        "dispatch": lambda: program.workloads["tiny"],
    }[program.name]()


def add_build(name, compilers, *flags):
    BUILDS[name] = Build(compilers, [*FLAGS, *flags], hcct=compilers is not clang)
    return name


def train(program, name, environment, made):
    """Runs a training build; the path of what it left."""
    return runs.leave(Variant("training", None, environment=environment), build(program, name).path, training(program), made)


def make_binaries(program):
    """{variant: binary}"""
    built = {"plain": build(program, add_build("feedback-plain", clang)).path}
    add_build("feedback-train", hcct("--hcct-before-inlining"))
    add_build("feedback-generate", clang, "-fprofile-generate")
    for name, mode, selection in (("contexts", "cct", ["--all"]), ("bounded", "hcct", [])):
        counts = train(program, "feedback-train", {"HCCT_OPTIONS": f"mode={mode}:output=ids.bin"}, "ids.bin")
        run_quietly([os.path.join(HCCT, "bin", "hcct-decode"), "--format=llvm-sample", *selection, "-o", counts + ".prof", counts])
        built[name] = build(program, add_build(f"feedback-{name}", clang, f"-fprofile-sample-use={counts}.prof")).path
    raw = train(program, "feedback-generate", {"LLVM_PROFILE_FILE": "profraw"}, "profraw")
    run_quietly([CLANG.replace("clang", "llvm-profdata"), "merge", "-o", raw + ".profdata", raw])
    built["pgo"] = build(program, add_build("feedback-pgo", clang, f"-fprofile-use={raw}.profdata")).path
    return built


def count_instructions(program, binary):
    return runs.count_instructions(Variant("counted", None), binary, program.workloads["tiny"])[0]


def measure_program(program, binaries, count):
    """Rounds of user seconds, as pairs.py has them. One before them is not counted."""
    outputs = set()

    def run(name):
        result = runs.run(Variant(TITLES[name], None), binaries[name], program.workloads["short"])
        outputs.add(result.output)
        if len(outputs) > 1:
            fail(f"{binaries[name]} printed something else than another variant did")
        return result.user

    rounds = []
    for number in range(count + 1):
        rounds.append(pairs.run_round({"plain": [name for name in binaries if name != "plain"]}, number, run))
        print(f"{program.name}: round {number} of {count}", file=sys.stderr)
    return rounds[1:]


def ratio(rounds, name):
    """Median of the ratios to plain -O2, and the least and greatest."""
    return pairs.spread(pairs.ratios(pairs.pairs_of(rounds, name, "plain"), float))


def row(title, rounds, instructions):
    cells = [f"{statistics.median(pairs.runs_of(rounds, 'plain')):.2f}"]
    for name in list(TITLES)[1:]:
        middle, least, greatest = ratio(rounds, name)
        text = f"{middle:.2f} ({least:.2f}–{greatest:.2f})"
        if instructions:
            text += f", {instructions[name] / instructions['plain']:.2f}"
        cells.append(text)
    return f"| {title} | " + " | ".join(cells) + " |"


def table(rows):
    return "\n".join(["| program | clang -O2, s | " + " | ".join(list(TITLES.values())[1:]) + " |",
                      "|---|---:|" + "---:|" * (len(TITLES) - 1)] + rows)


def report(rows, rounds, counts):
    return (f"{table(rows)}\n\nUser time as a ratio to `clang -O2`: median of {rounds} interleaved rounds (least–greatest)"
            f"{', then instructions of a shorter run, counted by callgrind, as a ratio' if counts else ''}. {datetime.date.today()}, {shell.processor_name()}, "
            f"{os.cpu_count()} processors, {shell.first_line([CLANG, '--version'])}, made by "
            f"`{' '.join(['scripts/bench-feedback'] + sys.argv[1:])}`.\n")


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench-feedback", description="Measures what a profile does for the program.")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=f"of {', '.join(DEFAULT)} (default: all)")
    parser.add_argument("--rounds", type=int, default=7, help="measured rounds (7)")
    parser.add_argument("--no-instructions", action="store_true", help="do not count instructions, which takes minutes")
    parser.add_argument("--no-write", action="store_true", help="leave the document as it is")
    options = parser.parse_args()
    for name in options.programs:
        if name not in DEFAULT:
            parser.error(f"no program {name}")
    counts = not options.no_instructions and shutil.which("valgrind")
    os.makedirs(BUILD, exist_ok=True)
    rows = []
    for name in options.programs or DEFAULT:
        program = PROGRAMS[name]()
        binaries = make_binaries(program)
        rounds = measure_program(program, binaries, options.rounds)
        instructions = {variant: count_instructions(program, binary) for variant, binary in binaries.items()} if counts else None
        rows.append(row(program.title, rounds, instructions))
        print(rows[-1])
    text = report(rows, options.rounds, counts)
    print(f"\n{text}")
    if not options.programs and counts and not options.no_write:
        shell.write_document(source("docs", "compiler.md"), text)


if __name__ == "__main__":
    main()
