"""phase_estimates.py DECODE PROFILE [PHASE:FUNCTION:CALLS...]: what phases.c must leave.

With PHASE: sampled calls of a phase that called nothing but FUNCTION. Otherwise of budget=..., with bursts; 16 of 20 calls are of leaf in each phase."""
import json
import subprocess
import sys


def read(*options):
    return json.loads(subprocess.run([sys.argv[1], "--all", "--by=function", "--format=json", *options, sys.argv[2]], check=True, capture_output=True).stdout)


def nodes(profile, name):
    return [node for node in profile["nodes"] if profile["frames"][node["frame"]]["function"] == name and node["count"]]


for wanted in sys.argv[3:]:
    phase, name, calls = wanted.split(":")
    profile = read("--phase=" + phase)
    (node,) = nodes(profile, name)
    estimate = profile["estimate"]
    assert estimate["calls_low"] <= int(calls) <= estimate["calls_high"], (wanted, estimate)
    assert node["low"] <= int(calls) <= node["high"], (wanted, node)
    assert estimate["observed"] is None and estimate["calls_low"] > 0, estimate
if len(sys.argv) == 3:
    run = read()
    assert run["estimate"]["kind"] == "budget" and 0 < run["estimate"]["whole"] < run["calls"], run["estimate"]
    for phase in "early", "late":
        profile = read("--phase=" + phase)
        estimate = profile["estimate"]
        assert estimate["whole"] == min(profile["calls"], run["estimate"]["whole"]), (phase, estimate, run["estimate"])
        assert estimate["observed"] is None and estimate["calls_low"] == 0 and estimate["calls_high"] is None, estimate
        for node in nodes(profile, "leaf"):
            assert node["share_low"] <= 0.8 * node["count"] / sum(other["count"] for other in nodes(profile, "leaf")) <= node["share_high"], (phase, node)
