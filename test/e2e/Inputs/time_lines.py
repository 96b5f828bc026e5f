"""time_lines.py HCCT-DECODE PROGRAM [ARGUMENT]: the lines of all runs together, against what the program's own clock told of each: "file:line seconds".

Runs until they agree within 4 points, ten times at most: a run has some 300 samples, of which a third on one line is off by 3 points at one standard error.
"""
import collections
import csv
import os
import subprocess
import sys

decode, program, *arguments = sys.argv[1:]
told, runs = collections.Counter(), []
for number in range(10):
    profile = f"{program}{number}.bin"
    environment = dict(os.environ, HCCT_OPTIONS=f"metric=time:frequency=250:output={profile}")
    output = subprocess.run([f"./{program}", *arguments], check=True, capture_output=True, text=True, env=environment).stdout
    runs.append(profile)
    for line in output.splitlines():
        place, seconds = line.split()
        told[place] += float(seconds)
    rows = subprocess.run([decode, "--view=peek=.", "--top=1000", "--all", "--format=csv", *runs], check=True, capture_output=True, text=True).stdout
    found = collections.Counter()
    for row in csv.DictReader(rows.splitlines()):
        if row["section"] == "lines":
            found[f"{os.path.basename(row['file'])}:{row['line']}"] += int(row["time"]) / 1e9
    off = {place: found[place] / sum(found.values()) - told[place] / sum(told.values()) for place in told}
    if max(map(abs, off.values())) < 0.04 and sum(found.values()) > 0.8 * sum(told.values()):
        sys.exit()
sys.exit(f"{program}: {sorted(told.items())}\nby samples {sorted(found.items())}")
