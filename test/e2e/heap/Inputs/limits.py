"""limits.py PLAIN HEAP JSON: what the program got without a profile and with one, and the profile's sums.

limits.py handlers TOLD JSON: how often a handler ran, and what its context has; signals that came while the thread recorded are dropped, and counted.
"""
import json
import sys

profile = json.load(open(sys.argv[3], encoding="utf-8"))
if sys.argv[1] == "handlers":
    handled = int(open(sys.argv[2], encoding="utf-8").read())
    found = [node["count"] for node in profile["nodes"] if profile["frames"][node["frame"]]["function"] == "handle" and node["count"]]
    assert sum(found) <= 16 * handled <= sum(found) + profile["dropped"]["interrupted"], (handled, found, profile["dropped"])
    assert sum(found) > 0
else:
    (plain, _), (heap, works) = (map(int, open(name, encoding="utf-8").read().split()) for name in sys.argv[1:3])
    assert works and heap > plain / 3, (plain, heap)
    assert heap <= profile["calls"] <= heap + 100000, (heap, profile["calls"])
    assert profile["heap"]["allocated"] + profile["dropped"]["memory"] == profile["calls"]
    assert profile["heap"]["live"] < 100000
