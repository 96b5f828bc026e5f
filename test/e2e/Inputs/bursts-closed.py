"""bursts-closed.py EXACT.json ESTIMATE.json: N is near, and so is what was called after the counter was closed."""
import json
import sys


def load(path):
    with open(path, encoding="utf-8") as file:
        profile = json.load(file)
    return profile["calls"], {profile["frames"][node["frame"]]["linkage"]: node["count"] for node in profile["nodes"]}


exact, truth = load(sys.argv[1])
calls, counts = load(sys.argv[2])
assert exact / 2 < calls < exact * 2, (exact, calls)
for name in "before", "after":
    assert truth[name] / 2.5 < counts[name] < truth[name] * 2.5, (name, truth[name], counts[name])
