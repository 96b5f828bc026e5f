#!/usr/bin/env python3
"""Peak memory that the profiler adds, and whether it grows with the work.

usage: peak.py PEAK PLAIN INSTRUMENTED LIMIT_MB ARGUMENTS...

PEAK is Inputs/peak.c, built. Each of ARGUMENTS is a command line's arguments in one word, the work growing from one to the next. Checked: both
programs print the same; the instrumented one's peak is at most LIMIT_MB above the plain one's; what the last run adds
is at most a quarter more than what the first one adds.
"""
import shlex
import subprocess
import sys


def run(program, arguments):
    """what it prints, and its peak resident set in KB"""
    command = [sys.argv[1], "peak.kb", program, *shlex.split(arguments)]
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    with open("peak.kb") as file:
        return text, int(file.read())


def main():
    plain, instrumented, limit = sys.argv[2], sys.argv[3], float(sys.argv[4])
    added = []
    for arguments in sys.argv[5:]:
        (text, base), (other_text, peak) = run(plain, arguments), run(instrumented, arguments)
        if text != other_text:
            sys.exit(f"{arguments}: prints other than the plain program")
        added.append((peak - base) / 1024)
        print(f"{arguments}: {added[-1]:.1f} MB added")
    if max(added) > limit:
        sys.exit(f"more than {limit} MB")
    if added[-1] > 1.25 * added[0]:
        sys.exit("grows with the number of contexts")


main()
