"""time_lines.py HCCT-DECODE PROGRAM [ARGUMENT]: the lines of all runs together, against what the program's own clock told of each: "file:line seconds".

Runs until they agree within 4 points, ten times at most: a run has some 300 samples, of which a third on one line is off by 3 points at one standard error.
In speedscope's format each function has as much time as all of its lines in csv, those of functions that are inlined there, too.
"""
import collections
import csv
import json
import os
import subprocess
import sys

decode, program, *arguments = sys.argv[1:]


def decoded(*options):
    return subprocess.run([decode, "--all", *options, *runs], check=True, capture_output=True, text=True).stdout


def own_time():
    """{function: nanoseconds in it, or in a library that it calls}, by the events of speedscope"""
    data = json.loads(decoded("--format=speedscope"))
    names, found, stack, before = [frame["name"] for frame in data["shared"]["frames"]], collections.Counter(), [], 0
    for event in data["profiles"][0]["events"]:
        inner = next((name for name in reversed(stack) if not name.startswith("[")), "")
        found[inner] += event["at"] - before
        before = event["at"]
        if event["type"] == "O":
            stack.append(names[event["frame"]])
        else:
            assert stack.pop() == names[event["frame"]]
    functions = [(frame["name"], frame.get("file")) for frame in data["shared"]["frames"]]
    assert len(set(functions)) == len(functions), functions
    assert not stack and before == data["profiles"][0]["endValue"]
    return found


told, runs = collections.Counter(), []
for number in range(10):
    profile = f"{program}{number}.bin"
    environment = dict(os.environ, HCCT_OPTIONS=f"metric=time:frequency=250:output={profile}")
    output = subprocess.run([f"./{program}", *arguments], check=True, capture_output=True, text=True, env=environment).stdout
    runs.append(profile)
    for line in output.splitlines():
        place, seconds = line.split()
        told[place] += float(seconds)
    found, of_functions = collections.Counter(), collections.Counter()
    for row in csv.DictReader(decoded("--view=peek=.", "--top=1000", "--format=csv").splitlines()):
        if row["section"] == "lines":
            found[f"{os.path.basename(row['file'])}:{row['line']}"] += int(row["time"]) / 1e9
            of_functions[row["function"]] += int(row["time"])
    own = own_time()
    wrong = {name: (own[name], time) for name, time in of_functions.items() if own[name] != time}
    assert not wrong and "inlined" in own, (wrong, own)
    off = {place: found[place] / sum(found.values()) - told[place] / sum(told.values()) for place in told}
    if max(map(abs, off.values())) < 0.04 and sum(found.values()) > 0.8 * sum(told.values()):
        sys.exit()
sys.exit(f"{program}: {sorted(told.items())}\nby samples {sorted(found.items())}")
