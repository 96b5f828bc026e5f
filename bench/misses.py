"""What a call that misses its slot costs, by the function of the runtime that does it: callgrind on a program's smallest workload.

    python3 bench/misses.py libsass           a table: calls, instructions of their own, and both for each miss
    python3 bench/misses.py --slots libsass   how many calls would hit in other tables of slots (lab/figures/slots.c)

Functions that the compiler put into their callers are counted there. A row is what all calls of the function took, also the few that the
end of the run made.
"""
import argparse
import collections
import os
import re
import subprocess
import tempfile

import programs
import shell
from build import build

NAME = re.compile(r"(c?fn)=\((\d+)\)(?: (.*))?")
MISSES = ("__hcct_miss", "__hcct_enter_or_miss")  # the latter goes on as an entry where it is none
LEAST = 0.5  # instructions for each miss
RUNTIME = re.compile(r"(__)?hcct_|(add|evict|miss|record|count|visit|take|spread|file|leave|enter|make|finish)_?[a-z_]*$")


def read(path):
    """{function: [calls, instructions of its own]}, and those that are called from a miss, through others too."""
    names, found, callees = {}, collections.defaultdict(lambda: [0, 0]), collections.defaultdict(set)
    caller = callee = None
    is_call = False
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            if match := NAME.match(line):
                name = names.setdefault(match[2], match[3])
                if match[1] == "fn":
                    caller = name
                else:
                    callee = name
            elif line.startswith("calls="):
                found[callee][0] += int(line[len("calls="):].split()[0])
                callees[caller].add(callee)
                is_call = True
            elif is_call:
                is_call = False
            elif line[0] in "0123456789+-*" and caller:
                found[caller][1] += int(line.split()[-1])
    reached, left = set(), [*MISSES]
    while left:
        name = left.pop()
        if name not in reached:
            reached.add(name)
            left += callees[name]
    return found, reached


def count(binary, tiny, folder):
    out = os.path.join(folder, "out")
    subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", binary] + tiny.arguments, cwd=folder, input=(tiny.stdin or "").encode(),
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return read(out)


def print_slots(binary, tiny, folder):
    shell.run_quietly(["cmake", "--build", shell.HCCT, "--target", "hcct_lab_slots"])
    subprocess.run([binary] + tiny.arguments, cwd=folder, input=(tiny.stdin or "").encode(), env=dict(os.environ, HCCT_OPTIONS="trace=calls"),
                   stdout=subprocess.DEVNULL, check=True)
    subprocess.run([os.path.join(shell.HCCT, "lab", "hcct_lab_slots"), os.path.join(folder, "calls")], check=True)


def main():
    parser = argparse.ArgumentParser(prog="bench/misses.py", description="Counts what misses cost.")
    parser.add_argument("program")
    parser.add_argument("--slots", action="store_true", help="simulate other tables of slots")
    parser.add_argument("--build", default=shell.HCCT, help="the folder where hcct was built (build)")
    options = parser.parse_args()
    shell.use_build(os.path.abspath(options.build))
    program = programs.PROGRAMS[options.program]()
    binary, tiny = build(program, "hcct").path, program.workloads["tiny"]
    with tempfile.TemporaryDirectory() as folder:
        if options.slots:
            print_slots(binary, tiny, folder)
            return
        found, reached = count(binary, tiny, folder)
    misses = sum(found[name][0] for name in MISSES) - found["enter_and_count"][0]
    print(f"{options.program}: {misses} misses\n\n| function | calls | instructions for each miss |\n|---|---:|---:|")
    for name, (calls, own) in sorted(found.items(), key=lambda item: -item[1][1]):
        if name in reached and RUNTIME.match(name) and own / misses >= LEAST:
            print(f"| `{name}` | {calls} | {own / misses:.1f} |")


if __name__ == "__main__":
    main()
