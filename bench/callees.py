"""What the calls of a program go to, by the size of the callee and by who may see its code: callgrind counts them in the plain build.

    python3 bench/callees.py libsass virtual objects      a table: shares of the calls between functions of the program

"small": at most 48 bytes of code without profiling, which is about what counting and a word take in line. A weak function may be inlined
by any file that calls it; a strong one of another file only in a whole program. A call through a pointer can only be inlined where the
compiler knows the callee.
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

SMALL = 48
NAME = re.compile(r"(c?fn)=\((\d+)\)(?: (.*))?")
KINDS = {"t": "local", "T": "strong", "W": "weak", "w": "weak", "V": "weak", "i": "strong"}


def functions(binary):
    """{name as callgrind shows it: (kind, bytes)}; of equal names the one that stands last."""
    lines = shell.run_quietly(["nm", "-C", "-S", "--defined-only", binary]).splitlines()
    found = {}
    for line in lines:
        match = re.match(r"[0-9a-f]+ ([0-9a-f]+) (\w) (.*)", line)
        if match and match[2] in KINDS:
            found[match[3]] = (KINDS[match[2]], int(match[1], 16))
    return found


def calls(path, known):
    """{callee: calls of it from functions of the program}"""
    names, counts, caller, callee = {}, collections.Counter(), "", ""
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            if match := NAME.match(line):
                name = names.setdefault(match[2], re.sub(r"'\d+$", "", match[3] or ""))
                if match[1] == "fn":
                    caller = name
                else:
                    callee = name
            elif line.startswith("calls=") and caller in known and callee in known:
                counts[callee] += int(line[len("calls="):].split()[0])
    return counts


def measure(program):
    binary, tiny = build(program, "plain").path, program.workloads["tiny"]
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", binary] + tiny.arguments, cwd=folder,
                              input=(tiny.stdin or "").encode(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True)
        instructions = int(re.search(rb"refs:\s+([\d,]+)", done.stderr)[1].replace(b",", b""))
        known = functions(binary)
        return known, calls(out, known), instructions


def main():
    parser = argparse.ArgumentParser(prog="bench/callees.py", description="What the calls of a program go to.")
    parser.add_argument("programs", nargs="+", metavar="PROGRAM")
    parser.add_argument("--top", type=int, default=0, help="also the N functions that are called most")
    options = parser.parse_args()
    kinds = [(kind, small) for kind in ("local", "weak", "strong") for small in (True, False)]
    print("| program | calls, millions | " + " | ".join(f"{'small' if small else 'larger'} {kind}" for kind, small in kinds) + " |")
    print("|---|---:|" + "---:|" * len(kinds))
    for name in options.programs:
        known, counts, _ = measure(programs.PROGRAMS[name]())
        total, shares = sum(counts.values()), collections.Counter()
        for callee, count in counts.items():
            kind, size = known[callee]
            shares[kind, size <= SMALL] += count
        print(f"| {name} | {total / 1e6:.2f} | " + " | ".join(f"{100 * shares[key] / total:.1f}%" for key in kinds) + " |")
        for callee, count in counts.most_common(options.top):
            print(f"{count:9} {known[callee][1]:5} bytes, {known[callee][0]}: {callee}")


if __name__ == "__main__":
    main()
