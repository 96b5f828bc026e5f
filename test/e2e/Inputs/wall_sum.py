"""wall_sum.py HCCT-DECODE PROFILE PROGRAM...: runs PROGRAM on one processor, which the observer of metric=wall has to share. The time in the profile is not more
than PROGRAM's one thread lived. Here it lived at most from before the start to after the end, so a busy machine can only make the check weaker."""
import os
import shlex
import subprocess
import sys
import time

SLACK = 0.1  # seconds: 8 intervals too much are possible, and one of CPU time

os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
start = time.monotonic()
subprocess.run(sys.argv[3:], check=True, env={**os.environ, "HCCT_OPTIONS": f"metric=wall:frequency=250:output={sys.argv[2]}"})
lived = time.monotonic() - start
folded = subprocess.run([*shlex.split(sys.argv[1]), "--all", "--format=folded", sys.argv[2]], check=True, stdout=subprocess.PIPE, text=True).stdout
leaves = {}
for line in folded.splitlines():
    path, _, ns = line.rpartition(" ")
    leaf = path.rpartition(";")[2]
    leaves[leaf] = leaves.get(leaf, 0) + int(ns) / 1e9
told = sum(leaves.values())
print(f"{told:.3f} s in the profile, {lived:.3f} s lived:", *(f"{leaf} {seconds:.3f}" for leaf, seconds in leaves.items()))
sys.exit(told > lived + SLACK)
