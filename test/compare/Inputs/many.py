"""Merges FEW, then MANY files (the ten NAME1.bin ... NAME10.bin, again and again) and compares the largest resident sizes.

usage: many.py HCCT-MERGE NAME OUT FEW MANY      the result in OUT is that of MANY
"""
import os
import subprocess
import sys
import time

merge, name, out, few, many = sys.argv[1:4] + [int(number) for number in sys.argv[4:]]


def peak_kilobytes(count):
    files = [f"{name}{i % 10 + 1}.bin" for i in range(count)]
    start = time.monotonic()
    process = subprocess.Popen([merge, "-o", out, *files])
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, f"{merge} of {count} files: status {status}"
    print(f"{count} files: {usage.ru_maxrss} KB, {time.monotonic() - start:.2f} s")
    return usage.ru_maxrss


small, large = peak_kilobytes(few), peak_kilobytes(many)
held = sum(os.path.getsize(f"{name}{i}.bin") for i in range(1, 11)) * many // 10 // 1024
# Python's own size until the exec is in both; the files together are far larger.
limit = small + 1024
assert held > 2 * limit, f"the files have {held} KB in all: too little to show anything"
assert large <= limit, f"{large} KB for {many} files, {small} KB for {few}"
