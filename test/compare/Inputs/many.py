"""Merges FEW, then MANY files (the ten NAME1.bin ... NAME10.bin, again and again) and compares the largest resident sizes.

usage: many.py PEAK HCCT-MERGE NAME OUT FEW MANY      the result in OUT is that of MANY; PEAK: test/real/Inputs/peak.c, which is small itself
"""
import os
import subprocess
import sys
import time

peak, merge, name, out, few, many = sys.argv[1:5] + [int(number) for number in sys.argv[5:]]


def peak_kilobytes(count):
    files = [f"{name}{i % 10 + 1}.bin" for i in range(count)]
    start = time.monotonic()
    subprocess.run([peak, "peak.txt", merge, "-o", out, *files], check=True)
    with open("peak.txt") as file:
        kilobytes = int(file.read())
    print(f"{count} files: {kilobytes} KB, {time.monotonic() - start:.2f} s")
    return kilobytes


small, large = peak_kilobytes(few), peak_kilobytes(many)
held = sum(os.path.getsize(f"{name}{i}.bin") for i in range(1, 11)) * many // 10 // 1024
limit = 2 * small  # malloc keeps pages
assert held > 2 * limit, f"the files have {held} KB in all: too little to show anything"
assert large <= limit, f"{large} KB for {many} files, {small} KB for {few}"
