"""Where the instructions are that a program executes because of hcct: by the kind of block that they stand in (code.py tells their bytes), and
by the function of the runtime. callgrind counts them.

    python3 bench/executed.py cpython short                   a program and a workload of programs.py
    python3 bench/executed.py cpython short counting=off      with other options of the run

The program's own blocks have the first instructions of an entry, the words of calls without a test, and what the compiler does for all that:
their plain build takes what stands in the last column.
"""
import argparse
import bisect
import collections
import concurrent.futures
import os
import re
import tempfile

import code as kinds
import runs
import shell
from build import build
from programs import PROGRAMS
from variants import BUILDS, Variant

LEAST = 0.002  # of all instructions: a row


def is_cpp(unit):
    return unit.path.endswith((".cpp", ".cc"))


def labelled(program, folder):
    """Builds the program with a symbol at each block."""
    def compiled(number, unit):
        assembly, result = os.path.join(folder, f"{number}.s"), os.path.join(folder, f"{number}.o")
        compiler = BUILDS["hcct"].compilers()[is_cpp(unit)]
        shell.run_quietly([*compiler, "-O2", "-fno-discard-value-names", *unit.flags, "-S", unit.path, "-o", assembly], cwd=unit.folder)
        kinds.label_blocks(assembly)
        shell.run_quietly([*BUILDS["plain"].compilers()[0], "-c", assembly, "-o", result])
        return result

    units = program.units()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compiled, range(len(units)), units))
    binary = os.path.join(folder, "labelled")
    linker = BUILDS["hcct"].compilers()[any(map(is_cpp, units))]
    shell.run_quietly([*linker, "-O2", "-no-pie", *objects, *program.libraries, "-lm", "-o", binary])  # callgrind's addresses are the file's
    return binary


def by_address(binary, workload, options):
    """({address: instructions of the executable's code}, those of all else)"""
    found, elsewhere, name, inside, address, is_call = collections.Counter(), 0, None, False, 0, False
    command = ["valgrind", "--tool=callgrind", "--dump-instr=yes", "--callgrind-out-file=callgrind", binary, *workload.arguments]
    folder = runs.execute(command, workload, runs.environment_of(Variant("counted", None, options=":".join(["output=ids.bin", *options]))))
    with open(os.path.join(folder, "callgrind"), encoding="utf-8", errors="replace") as file:
        for line in file:
            if match := re.match(r"(c?)ob=(\(\d+\))(?: (.*))?", line):
                name = match[2] if match[3] == binary else name
                inside = inside if match[1] else match[2] == name
            elif line.startswith("calls="):
                is_call = True
            elif line[0] in "0+-*":
                words = line.split()
                if words[0] != "*":
                    address = int(words[0], 0) + (address if words[0][0] in "+-" else 0)
                if is_call:
                    is_call = False
                elif inside:
                    found[address] += int(words[-1])
                else:
                    elsewhere += int(words[-1])
    return found, elsewhere


def symbols(binary):
    """Sorted [(address, name)]; where there are several, the block's comes last."""
    words = map(str.split, shell.run_quietly(["nm", binary]).splitlines())
    found = [(int(word[0], 16), word[2].startswith("hcct_block_"), word[2]) for word in words if len(word) == 3 and word[1] in "tTwWi"]
    return [(address, name) for address, _, name in sorted(found)]


def main():
    parser = argparse.ArgumentParser(prog="bench/executed.py", description="Counts the instructions that profiling adds, by kind.")
    parser.add_argument("--build", metavar="FOLDER", help="another build of hcct")
    parser.add_argument("program", choices=PROGRAMS)
    parser.add_argument("workload")
    parser.add_argument("options", nargs="*")
    options = parser.parse_args()
    if options.build:
        shell.use_build(options.build)
    os.makedirs(shell.BUILD, exist_ok=True)
    program = PROGRAMS[options.program]()
    workload = program.workloads[options.workload]
    with tempfile.TemporaryDirectory() as folder:
        plain, plain_elsewhere = by_address(build(program, "plain").path, workload, [])
        binary = labelled(program, folder)
        counts, elsewhere = by_address(binary, workload, options.options)
        names, total = symbols(binary), collections.Counter()
    for address, count in counts.items():
        name = names[bisect.bisect(names, (address, "\x7f")) - 1][1]
        block = re.match(r"hcct_block_(\d+)_", name)
        total[kinds.NAMES[int(block[1])] if block else f"`{name}`"] += count
    all_plain, everything = sum(plain.values()) + plain_elsewhere, sum(counts.values()) + elsewhere
    print(f"{program.title}: {all_plain / 1e6:.1f} million instructions, with hcct {everything / 1e6:.1f}\n")
    print("| where | millions | plain |\n|---|---:|---:|")
    for name, count in total.most_common():
        if count > LEAST * everything:
            own = f"{sum(plain.values()) / 1e6:.1f}" if name == kinds.OWN else ""
            print(f"| {name} | {count / 1e6:.1f} | {own} |")


if __name__ == "__main__":
    main()
