"""Holds the profile of deep-beyond.c (json, from standard input) against what is known of it. beyond.py MODE"""
import json
import sys

DEPTH = 1000000
LATER = 6
profile = json.load(sys.stdin)
beyond = profile["misplaced"]["overflowed"]
names = [frame["function"] for frame in profile["frames"]]


def path(node):
    """Root first."""
    found = []
    while node >= 0:
        found.append(names[profile["nodes"][node]["frame"]])
        node = profile["nodes"][node]["parent"]
    return found[::-1]


counts = {}
for index, node in enumerate(profile["nodes"]):
    if names[node["frame"]] in ("later", "leaf") and node["count"]:
        counts[";".join(path(index))] = counts.get(";".join(path(index)), 0) + node["count"]
wanted = {}
if sys.argv[1] == "hcct":
    wanted = counts  # too cold for a counter each
elif "fold" in sys.argv[1]:
    wanted = {"main;later": 1, "main;later;later": LATER - 1, "main;later;leaf": 1, "main;later;later;leaf": LATER - 1}
else:
    for depth in range(1, LATER + 1):
        wanted["main" + ";later" * depth] = 1
        wanted["main" + ";later" * depth + ";leaf"] = 1
assert counts == wanted, (counts, wanted)
assert profile["calls"] == 1 + DEPTH + 1 + 2 * LATER, profile["calls"]
assert DEPTH / 8 < beyond < DEPTH, beyond
