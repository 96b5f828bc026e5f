"""clock_cost.py HCCT-DECODE PROGRAM FOLDER: of each call of leaf, which takes as long as PROGRAM says, at most a quarter is left with it and its caller.
What is told of longer and its caller is no more than its calls take, and no more than an entry and an exit below what they take if not measured. Those take what
a call of leaf takes, and a quarter more at the most.

Only what one run measured is compared, the quickest of 300 rounds of each kind, in turns. A run fails by chance if all of the start was slow, when the entry
and exit are measured, and one of those rounds was not. If that were so in one run of five, eight runs in a row would fail one time in 390,000."""
import os
import subprocess
import sys

decode, program, folder = sys.argv[1:]
options = dict(os.environ, HCCT_OPTIONS="metric=clock:mode=cct:output=clock.bin")
os.makedirs(folder, exist_ok=True)


def told(profile, calls):
    """{path: nanoseconds}. A path of which nothing is left is missing."""
    text = subprocess.run([decode, "--all", "--format=folded", os.path.join(folder, profile)], stdout=subprocess.PIPE, check=True, text=True).stdout
    return {path: int(count) / calls for path, count in (line.rsplit(" ", 1) for line in text.splitlines())}


def is_good():
    calls, each, whole, none = map(float, subprocess.run([program], env=options, cwd=folder, stdout=subprocess.PIPE, check=True, text=True).stdout.split())
    own = told("leaf.bin", calls)
    leaf, parent = own.get("main;play_round;parent;leaf", 0), own.get("main;play_round;parent", 0)
    print(f"leaf: {each:.1f} ns a call, of which {leaf:.2f} ns are its own and {parent:.2f} ns its caller's")
    own = told("longer.bin", calls)
    longer, caller = own.get("main;play_round;parent_of_longer;longer", 0), own.get("main;play_round;parent_of_longer", 0)
    print(f"longer: {whole:.1f} ns a call, of which {longer:.2f} ns are its own and {caller:.2f} ns its caller's; {none:.1f} ns if not measured")
    return leaf + parent <= each / 4 and none - each * 5 / 4 <= longer + caller <= whole


sys.exit(not any(is_good() for _ in range(8)))
