#!/usr/bin/env python3
"""Where the bytes are that instrumentation adds to a program's code, compiled file by file: by the kind of block that they stand in.

    bench/code.py sqlite        a program of programs.py
    bench/code.py sqlite -Os    with other options behind -O2

The pass names its blocks (hcct.miss and so on); in the compiler's assembly each gets a symbol, and what lies between two is a block's. What the
program's own blocks have grown by is the words of calls without a test, calls of the runtime around those that are seldom passed, and what the
compiler does for all that: registers saved, values kept on the stack.
"""
import collections
import os
import re
import sys
import tempfile

from programs import PROGRAMS
from shell import fail, read, run_quietly, write
from variants import BUILDS
import shell

KINDS = {"count": ["counting", "hit"], "call of the runtime where a call is in no slot": ["miss", "enter"],
         "entry of a call that nobody numbered": ["fresh", "live", "quick", "entered", "off", "known"],
         "push in line": ["push", "pushed", "outline"], "pointers that are guessed": ["guessed", "other", "under"],
         "call that is tested": ["numbered", "tested", "leave", "stay", "pop"],
         "call of a library function": ["replaced", "noted", "unnoted"]}
KIND = {f"hcct.{block}": kind for kind, blocks in KINDS.items() for block in blocks}
OWN = "the program's own blocks"
NAMES = [OWN, *KINDS]
BLOCK = re.compile(r"^(?:\.LBB\d+_\d+|# %bb\.\d+):(?:.*# %([\w.$-]+))?")


def label_blocks(path):
    """Gives each block of an assembly file a symbol, hcct_block_K_N with kind K of NAMES; {symbol: kind}."""
    kinds, lines = {}, []
    for line in read(path).splitlines(keepends=True):
        lines.append(line)
        if found := BLOCK.match(line):
            kind = KIND.get(re.sub(r"\d+$", "", found[1] or ""), OWN)
            symbol = f"hcct_block_{NAMES.index(kind)}_{len(kinds)}"
            kinds[symbol] = kind
            lines.append(f"{symbol}:\n")
    write(path, "".join(lines))
    return kinds


def bytes_by_kind(compiler, unit, options):
    with tempfile.TemporaryDirectory() as folder:
        assembly, result = os.path.join(folder, "unit.s"), os.path.join(folder, "unit.o")
        run_quietly([*compiler, "-O2", "-fno-discard-value-names", *unit.flags, *options, "-S", unit.path, "-o", assembly], cwd=unit.folder)
        kinds = label_blocks(assembly)
        run_quietly([*BUILDS["plain"].compilers()[0], "-c", assembly, "-o", result])
        sizes = {words[0]: int(words[1]) for words in map(str.split, run_quietly(["size", "-A", result]).splitlines()) if words and words[0].startswith(".text")}
        places = collections.defaultdict(list)
        for line in run_quietly(["llvm-nm-19", "--format=sysv", result]).splitlines():
            words = [word.strip() for word in line.split("|")]
            if words[0] in kinds:
                places[words[-1]].append((int(words[1], 16), int(words[0].rsplit("_", 1)[1]), words[0]))
    counts = collections.Counter()
    for section, found in places.items():
        found = sorted(found) + [(sizes[section], 0, "")]
        for (start, _, symbol), (end, _, _) in zip(found, found[1:]):
            counts[kinds[symbol]] += end - start
    return counts


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in PROGRAMS:
        fail(f"usage: code.py PROGRAM [OPTION...]; there are {', '.join(PROGRAMS)}")
    os.makedirs(shell.BUILD, exist_ok=True)
    program = PROGRAMS[sys.argv[1]]()
    plain, ours = collections.Counter(), collections.Counter()
    for unit in program.units():
        is_cpp = unit.path.endswith((".cpp", ".cc"))
        plain.update(bytes_by_kind(BUILDS["plain"].compilers()[is_cpp], unit, sys.argv[2:]))
        ours.update(bytes_by_kind(BUILDS["hcct"].compilers()[is_cpp], unit, sys.argv[2:]))
    ours.subtract(plain)
    total = sum(plain.values())
    print(f"{program.title}: {total} bytes, and {sum(ours.values()) / total:.1%} more")
    for kind, count in ours.most_common():
        print(f"{count / total:6.1%} {count:8} {kind}")


if __name__ == "__main__":
    main()
