"""Measures what a profile does for the program when clang compiles it again: hcct's contexts as a sample profile, against plain
-O2 and against clang's own instrumented profile (-fprofile-generate, -fprofile-use).

Each profile is made by the very run that is measured: what is compared is the kind of profile, not how well one workload
stands for another. Each variant runs right before or after plain -O2; a ratio is that of these two runs (pairs.py). Instructions are
counted by callgrind, once, of a shorter run; Duktape's is another script, which no profile has seen.

    scripts/bench-feedback                         Duktape and dispatch; writes the table in docs/compiler.md
    scripts/bench-feedback --rounds=9 parser       one program, 9 rounds
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
from programs import PROGRAMS, Workload
from shell import BUILD, CLANG, HCCT, fail, run_quietly, source
from variants import Variant

FLAGS = ["-O2", "-gline-tables-only", "-fdebug-info-for-profiling"]
DEFAULT = ["duktape", "dispatch"]
SHORT = {"duktape": Workload(source("scripts", "demo.js"))}
TITLES = {
    "plain": "clang -O2",
    "contexts": "-fprofile-sample-use, all contexts",
    "bounded": "-fprofile-sample-use, mode=hcct",
    "pgo": "-fprofile-use",
}


def compile_program(program, suffix, compiler):
    binary = os.path.join(BUILD, f"{program.name}-feedback-{suffix}")
    print(f"Building {os.path.basename(binary)}", file=sys.stderr)
    run_quietly(compiler + FLAGS + program.flags + program.sources + program.libraries + ["-o", binary], cwd=BUILD)
    return binary


def run_once(program, binary, environment):
    """One run to make a profile."""
    runs.run(Variant("profiling", None, environment=environment), binary, program.workloads["long"])


def make_binaries(program):
    """{variant: binary}"""
    before = os.path.join(BUILD, f"{program.name}-feedback")
    train = compile_program(program, "train", [os.path.join(HCCT, "bin", "hcct-cc"), "--hcct-before-inlining"])
    for name, mode, selection in (("contexts", "cct", ["--all"]), ("bounded", "hcct", [])):
        run_once(program, train, {"HCCT_OPTIONS": f"mode={mode}:output={before}.bin"})
        run_quietly([os.path.join(HCCT, "bin", "hcct-decode"), "--format=llvm-sample", *selection, "-o", f"{before}.{name}", f"{before}.bin"])
    raw = before + ".profraw"
    generate = compile_program(program, "generate", [CLANG, "-fprofile-generate"])
    run_once(program, generate, {"LLVM_PROFILE_FILE": raw})
    run_quietly([CLANG.replace("clang", "llvm-profdata"), "merge", "-o", before + ".profdata", raw])
    return {
        "plain": compile_program(program, "plain", [CLANG]),
        "contexts": compile_program(program, "contexts", [CLANG, f"-fprofile-sample-use={before}.contexts"]),
        "bounded": compile_program(program, "bounded", [CLANG, f"-fprofile-sample-use={before}.bounded"]),
        "pgo": compile_program(program, "pgo", [CLANG, f"-fprofile-use={before}.profdata"]),
    }


def count_instructions(program, binary):
    return runs.count_instructions(Variant("counted", None), binary, SHORT.get(program.name) or program.workloads["short"])[0]


def measure_program(program, binaries, count):
    """Rounds of user seconds, as pairs.py has them. One before them is not counted."""
    outputs = set()

    def run(name):
        result = runs.run(Variant(TITLES[name], None), binaries[name], program.workloads["long"])
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
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=f"of {', '.join(PROGRAMS)} (default: {', '.join(DEFAULT)})")
    parser.add_argument("--rounds", type=int, default=7, help="measured rounds (7)")
    parser.add_argument("--no-instructions", action="store_true", help="do not count instructions, which takes minutes")
    parser.add_argument("--no-write", action="store_true", help="leave the document as it is")
    options = parser.parse_args()
    for name in options.programs:
        if name not in PROGRAMS:
            parser.error(f"no program {name}")
    counts = not options.no_instructions and shutil.which("valgrind")
    os.makedirs(BUILD, exist_ok=True)
    rows = []
    for name in options.programs or DEFAULT:
        program = PROGRAMS[name]()
        if not program.sources:
            fail(f"{name} is not compiled by one command")
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
