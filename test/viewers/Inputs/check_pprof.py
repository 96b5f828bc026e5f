"""Holds what pprof says of a profile (-top, -peek) against the numbers of the decoder's json.

usage: check_pprof.py PPROF PROFILE.PB.GZ PROFILE.JSON [SAMPLE-TYPE]

The sample type (calls, if none is given) has the counts of the json; `error` has its errors.
"""
import collections
import json
import re
import subprocess
import sys

pprof, profile, json_file = sys.argv[1:4]
value = sys.argv[4] if len(sys.argv) > 4 else "calls"
wrong = 0


def complain(*words):
    global wrong
    wrong += 1
    if wrong < 20:
        print(*words)


def ask(*options):
    """The report's lines that begin with numbers or blanks, nothing left out."""
    everything = ["-nodecount=1000000", "-nodefraction=0", "-edgefraction=0", "-unit=" + ("B" if value.endswith("_space") else "count"), f"-sample_index={value}"]
    run = subprocess.run([pprof, *everything, *options, profile], check=True, capture_output=True, text=True)
    return run.stdout.splitlines()


# What the json says, by function: its own count, that of the paths that it is on, and that of the paths with an edge.
with open(json_file, encoding="utf-8") as file:
    data = json.load(file)
flat, cum, edge = collections.Counter(), collections.Counter(), collections.Counter()
total = 0
for node in data["nodes"]:
    if node["count"] is None:
        continue
    count = node["error"] if value == "error" else node["count"] - node["error"]
    path, at = [], node
    while True:
        path.append(data["frames"][at["frame"]]["function"])
        if at["parent"] < 0:
            break
        at = data["nodes"][at["parent"]]
    flat[path[0]] += count
    for name in set(path):
        cum[name] += count
    for pair in set(zip(path[1:], path)):
        edge[pair] += count
    total += count
if value != "error" and data["other"]:
    flat["[other]"] = cum["[other]"] = data["other"]
    total += data["other"]

number = r"(-?[\d.]+)B?"
found = {}
for line in ask("-top"):
    if match := re.match(rf"Showing nodes accounting for \d+, .* of {number} total", line):
        if int(match[1]) != total:
            complain("total:", match[1], "instead of", total)
    if match := re.match(rf" *{number} +\S+% +\S+% +{number} +\S+%  (.*?)( \(inline\)| \(partial-inline\))?$", line):
        found[match[3]] = int(match[1]), int(match[2])
wanted = {name: (flat[name], cum[name]) for name in cum if cum[name]}
for name in wanted.keys() | found.keys():
    if wanted.get(name) != found.get(name):
        complain("flat and cum of", name, ":", found.get(name), "instead of", wanted.get(name))

found, above, node = {}, [], None
for line in ask("-peek", "."):
    if line.startswith("-----"):
        above, node = [], None
    elif match := re.match(rf" *{number} +\S+% \|   (.*?)( \(inline\)| \(partial-inline\))?$", line):
        if node is None:
            above.append((match[2], int(match[1])))
        else:
            found[node, match[2]] = int(match[1])
    elif match := re.match(rf" *{number} +\S+% +\S+% +{number} +\S+% +\| (.*)$", line):
        node = re.sub(r" \((partial-)?inline\)$", "", match[3])
        for caller, count in above:
            if found.setdefault((caller, node), count) != count:
                complain("edge", caller, node, "has two counts")
wanted = {pair: count for pair, count in edge.items() if count and pair[0] != pair[1]}
found = {pair: count for pair, count in found.items() if pair[0] != pair[1]}
for pair in wanted.keys() | found.keys():
    if wanted.get(pair) != found.get(pair):
        complain("edge", pair, ":", found.get(pair), "instead of", wanted.get(pair))
if wrong or not flat or not edge:
    sys.exit(f"{wrong} differences")
print(f"{len(cum)} functions, {len(wanted)} edges, {total} {value}: equal")
