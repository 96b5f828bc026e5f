"""Lines of samples, held against llvm-symbolizer.

    lines.py write PROGRAM PROFILE [MORE]  a profile of work(), called by main and, a million times as often, by other(): instruction K of it has K;
                                           and of so many more functions, without places
    lines.py check PROGRAM TIMES ROWS      ROWS: hcct-decode --view=peek=work --format=csv of it; each count TIMES as large
    lines.py pprof PROGRAM FILE            the same of --format=pprof, with all functions that are inlined at a place
    lines.py callgrind PROGRAM FILE        of --format=callgrind
    lines.py json PROGRAM FILE             of --format=json
"""
import collections
import csv
import gzip
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "hostile", "Inputs"))
import profile as generator  # noqa: E402
import wire  # noqa: E402


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


def write(program, path, more=0):
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
    for number in range(int(more)):
        made.count(3 + made.function(f"more{number}"), 10000000)
        made.calls += 10000000
    made.calls -= 1
    made.write(path)


def chains(program, addresses):
    """For each address (function, file, line) of what is inlined there, the innermost first, and of work. A line of 0 has no file."""
    text = output("llvm-symbolizer", "-e", program, "--output-style=GNU", "--functions=short", "-i", "-p", *map(hex, addresses))
    found = []
    for line in text.splitlines():
        function, file, number = re.match(r"(?: \(inlined by\) )?(\S+) at (.*):(\d+|\?)", line).groups()
        number = int(number) if number.isdigit() else 0
        found += [] if line.startswith(" ") else [[]]
        found[-1].append((function, os.path.basename(file) if number else "", number))
    return found


def wanted(program, times):
    """By (function, file, line) of the innermost function: the sum of the counts."""
    addresses, calls = instructions(program)
    sums = collections.Counter()
    for number, (address, chain) in enumerate(zip(addresses, chains(program, addresses))):
        sums[chain[0]] += times * (number + 1 + (7 if address in calls else 0))
    return sums


def check(program, times, rows):
    found = collections.Counter()
    for row in csv.DictReader(open(rows)):
        if row["section"] == "lines":
            found[row["function"], os.path.basename(row["file"]), int(row["line"] or 0)] += int(row["time"])
    expected = wanted(program, int(times))
    if found != expected or len(found) < 5:
        sys.exit(f"{sorted(found.items())}\ninstead of\n{sorted(expected.items())}")


def messages(data):
    """The fields of a message: their values by number, in order."""
    found = collections.defaultdict(list)
    for number, value in wire.fields(data):
        found[number].append(value)
    return found


def check_pprof(program, path):
    """A sample's locations from work on, with all their lines, in the samples of either caller; a library's function has a location of its own."""
    profile = messages(gzip.open(path).read())
    strings = [text.decode() for text in profile[6]]
    functions = {one[1][0]: one for one in map(messages, profile[5])}
    lines = {}
    for location in map(messages, profile[4]):
        of = [(messages(line)[1][0], (messages(line)[2] or [0])[0]) for line in location[4]]
        lines[location[1][0]] = [(strings[functions[function][2][0]], os.path.basename(strings[functions[function][4][0]]) if line else "", line) for function, line in of]
    found = collections.Counter()
    for sample in map(messages, profile[2]):
        ids = [number for packed in sample[1] for number in wire.numbers(packed)]
        values = [number for packed in sample[2] for number in wire.numbers(packed)]
        path = [lines[number] for number in ids]
        place = next(chain for chain in path if chain[-1][0] == "work")
        found[tuple(place)] += values[0]
    addresses, calls = instructions(program)
    expected = collections.Counter()
    for number, (address, chain) in enumerate(zip(addresses, chains(program, addresses))):
        expected[tuple(chain)] += 1000001 * (number + 1 + (7 if address in calls else 0))
    if found != expected or max(map(len, found)) < 3:
        sys.exit(f"{sorted(found.items())}\ninstead of\n{sorted(expected.items())}")


def check_callgrind(program, path):
    """Costs by line, of work and of the calls of the library there; what has no line is at the function's own, which is 1."""
    found, names, file, calls = collections.Counter(), {}, "", False
    for line in open(path):
        key, _, value = line.strip().partition("=")
        if key in ("fl", "fi", "fe", "cfi", "fn", "cfn"):
            kind = key[-2:].replace("fi", "fl").replace("fe", "fl")
            number, _, name = value.partition(" ")
            names.setdefault((kind, number), name)
            value = names[kind, number]
        if key in ("fl", "fi", "fe"):
            file = os.path.basename(value)
        elif key == "fn":
            function = value.split("'")[0]
        elif key == "cfn":
            callee = value.split("'")[0]
        elif key == "calls":
            calls = True
        elif re.fullmatch(r"\d+ \d+ \d+\n", line):
            number, cost, _ = map(int, line.split())
            if function == "work" and (not calls or callee.startswith("[")):
                found[(file, number) if number > 1 else ("", 0)] += cost
            calls = False
    expected = collections.Counter()
    for (_, file, number), cost in wanted(program, 1000001).items():
        expected[file, number] += cost
    if found != expected:
        sys.exit(f"{sorted(found.items())}\ninstead of\n{sorted(expected.items())}")


def check_json(program, path):
    """The lines of nodes, and that they add up to the nodes' counts."""
    profile, found = json.load(open(path)), collections.Counter()
    for node in profile["nodes"]:
        assert sum(line["count"] for line in node.get("lines", [])) == (node["count"] or 0), node
        for line in node.get("lines", []):
            found[(line["inlined"] + ["work"])[0], os.path.basename(line["file"]), line["line"]] += line["count"]
    expected = wanted(program, 1000001)
    if found != expected:
        sys.exit(f"{sorted(found.items())}\ninstead of\n{sorted(expected.items())}")


{"write": write, "check": check, "pprof": check_pprof, "callgrind": check_callgrind, "json": check_json}[sys.argv[1]](*sys.argv[2:])
