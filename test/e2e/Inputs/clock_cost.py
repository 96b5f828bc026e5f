"""clock_cost.py HCCT-DECODE PROGRAM PROFILE: of each call of leaf, which takes as long as PROGRAM says, at most a quarter is left with it
and its caller; of longer what PROGRAM says, within a quarter of what measuring adds. One of some runs is so: the machine may be at another speed when
the cost is measured."""
import os
import subprocess
import sys

decode, program, profile = sys.argv[1:]
options = dict(os.environ, HCCT_OPTIONS=f"metric=clock:mode=cct:output={profile}")


def measure(arguments):
    told = subprocess.run([program] + arguments, env=options, stdout=subprocess.PIPE, text=True).stdout.split()
    calls, each, none = int(told[0]), float(told[1]), float(told[2])
    text = subprocess.run([decode, "--all", "--format=folded", profile], stdout=subprocess.PIPE, check=True, text=True).stdout
    return each, none, {path: int(count) / calls for path, count in (line.rsplit(" ", 1) for line in text.splitlines())}


def is_good():
    each, _, own = measure([])
    leaf, parent = own.get("main;parent;leaf", 0), own.get("main;parent", 0)
    print(f"leaf: {each:.1f} ns a call, of which {leaf:.2f} ns are its own and {parent:.2f} ns its caller's")
    whole, none, own = measure(["longer"])
    longer, caller = own["main;parent_of_longer;longer"], own["main;parent_of_longer"]
    print(f"longer: {whole:.1f} ns a call, of which {longer:.2f} ns are its own and {caller:.2f} ns its caller's; {none:.1f} ns if not measured")
    return leaf + parent <= each / 4 and abs(longer + caller - none) <= (whole - none) / 4


sys.exit(not any(is_good() for _ in range(6)))
