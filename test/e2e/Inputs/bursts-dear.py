"""bursts-dear.py EXACT.json ESTIMATE.json: N, which is a third if counting makes bursts hold fewer calls and nobody looks."""
import json
import sys

exact, found = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
ratio = found["calls"] / exact["calls"]
assert exact["guarantee"] == "exact" and found["estimate"]["bursts"] > 20, found["estimate"]
assert 0.7 < ratio < 1.4, ratio
