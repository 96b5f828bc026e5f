"""clock_cost.py HCCT-DECODE PROGRAM PROFILE: of each call of leaf, which takes as long as PROGRAM says, at most a quarter is left with it
and its caller; or one of some runs is so, as the machine may be at another speed when the cost is measured."""
import os
import subprocess
import sys

decode, program, profile = sys.argv[1:]
options = dict(os.environ, HCCT_OPTIONS=f"metric=clock:mode=cct:output={profile}")
for _ in range(6):
    told = subprocess.run([program], env=options, stdout=subprocess.PIPE, text=True).stdout.split()
    whole, calls = float(told[0]), int(told[1])
    text = subprocess.run([decode, "--all", "--format=folded", profile], stdout=subprocess.PIPE, check=True, text=True).stdout
    own = {path: int(count) / calls for path, count in (line.rsplit(" ", 1) for line in text.splitlines())}
    parent, leaf = own.get("main;parent", 0), own.get("main;parent;leaf", 0)
    print(f"{whole:.1f} ns a call, of which {leaf:.2f} ns are leaf's and {parent:.2f} ns are parent's")
    if leaf + parent <= whole / 4:
        sys.exit(0)
sys.exit(1)
