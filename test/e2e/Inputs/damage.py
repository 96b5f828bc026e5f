"""Changes words of a file of a killed process, those that are not zero, and looks what hcct-decode makes of it.

usage: damage.py HCCT-DECODE FILE TIMES
"""
import os
import random
import subprocess
import sys

decode, path, times = sys.argv[1], sys.argv[2], int(sys.argv[3])
with open(path, "rb") as file:
    original = file.read()
# Everything of the header, the state and the static part, and a sample of the tables.
words = [at for at in range(0, len(original), 8) if original[at:at + 8] != bytes(8)]
random.seed(len(words))
ends = {0: 0, 1: 0}


def try_file(content, what):
    with open(path + ".damaged", "wb") as file:
        file.write(content)
    done = subprocess.run([decode, "--all", "-o", path + ".out", path + ".damaged"], stderr=subprocess.PIPE, timeout=600)
    if done.returncode not in ends or (done.returncode == 1) != bool(done.stderr):
        sys.exit(f"{what}: status {done.returncode}, {done.stderr.decode()}")
    ends[done.returncode] += 1


for turn in range(times):
    damaged = bytearray(original)
    for at in random.sample(words[:200] if turn % 3 else words, 1 + turn % 4):
        damaged[at:at + 8] = random.choice([bytes(8), b"\xff" * 8, random.randbytes(8), damaged[at - 8:at], b"\1" + bytes(7)])[:8].ljust(8, b"\0")
    try_file(damaged, f"turn {turn}")
for turn in range(times // 4):
    length = random.randrange(1, len(original))
    try_file(original[:length], f"cut off at {length}")
if not ends[0] or not ends[1]:
    sys.exit(f"nothing was damaged, or everything: {ends}")
print(ends)
