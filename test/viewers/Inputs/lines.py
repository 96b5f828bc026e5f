"""Lines of samples, held against llvm-symbolizer.

    lines.py write PROGRAM PROFILE         a profile of work(), called by main and, a million times as often, by other(): instruction K of it has K
    lines.py check PROGRAM TIMES ROWS      ROWS: hcct-decode --view=peek=work --format=csv of it; each count TIMES as large
"""
import collections
import csv
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "hostile", "Inputs"))
import profile as generator  # noqa: E402


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def hash_of(name):
    value = 0xCBF29CE484222325
    for byte in name.encode():
        value = (value ^ byte) * 0x100000001B3 % (1 << 64)
    return value | 1


def build_id(program):
    found = re.search(r"Build ID: ([0-9a-f]+)", output("llvm-readelf", "-n", program))
    return found[1] if found else ""


def instructions(program):
    """The addresses of work's instructions, and of its call."""
    start, size = (int(text, 16) for text in re.search(r"^(\S+) (\S+) T work$", output("llvm-nm", "-S", program), re.M).groups())
    text = output("llvm-objdump", "-d", "--no-show-raw-insn", "--disassemble-symbols=work", program)
    found = [(int(address, 16), name) for address, name in re.findall(r"^ *([0-9a-f]+): *\t(\S+)", text, re.M)]
    found = [(address, name) for address, name in found if address < start + size]  # not what fills the gap behind it
    return [address for address, _ in found], [address for address, name in found if name.startswith("call")]


def write(program, path):
    addresses, calls = instructions(program)
    made = generator.Profile(mode=1, metric=2, name="time", unit="ns", guarantee=2)
    made.program, made.program_build = os.path.abspath(program), build_id(program)
    functions = {name: 3 + made.function(name, file=os.path.abspath(program) + ".c") for name in ("main", "other", "work")}
    pushes = [(made.site(number, 2, generator.PUSHES), 3 + number) for number in (0, 1)]
    for weight, (site, caller) in zip((1, 1000000), pushes):
        pushed, hashed = made.push(caller, site, 0)
        word = (hashed + functions["work"]) % (1 << 64)
        for number, address in enumerate(addresses):
            place, below = made.place(word, pushed, address, hash_of(os.path.basename(program)))
            made.count(below, weight * (number + 1), place)
            made.calls += weight * (number + 1)
            if address in calls:  # what a library did that was called there, which has a prefix of kind LEAF
                made.prefixes.append(generator.struct.pack("<QQII", below, hash_of("memset"), place, 4))
                made.count(generator.mix(below, hash_of("memset")), weight * 7, len(made.prefixes) - 1)
                made.calls += weight * 7
    made.calls -= 1
    made.write(path)


def wanted(program, times):
    """By (function, file, line): the sum of the counts."""
    addresses, calls = instructions(program)
    sums = collections.Counter()
    text = output("llvm-symbolizer", "-e", program, "--output-style=GNU", "--functions=short", "-i", "-p", *map(hex, addresses))
    places = [line for line in text.splitlines() if not line.startswith(" (inlined by)")]  # function at file:line
    for number, (address, place) in enumerate(zip(addresses, places)):
        function, file, line = re.match(r"(\S+) at (.*):(\d+|\?)", place).groups()
        line = int(line) if line.isdigit() else 0
        sums[function, os.path.basename(file) if line else "", line] += times * (number + 1 + (7 if address in calls else 0))
    return sums


def check(program, times, rows):
    found = collections.Counter()
    for row in csv.DictReader(open(rows)):
        if row["section"] == "lines":
            found[row["function"], os.path.basename(row["file"]), int(row["line"] or 0)] += int(row["time"])
    expected = wanted(program, int(times))
    if found != expected or len(found) < 5:
        sys.exit(f"{sorted(found.items())}\ninstead of\n{sorted(expected.items())}")


{"write": write, "check": check}[sys.argv[1]](*sys.argv[2:])
