"""samples.py EXACT.json ESTIMATE.json: an estimate from sampled calls against the exact profile of the same program.

All its contexts are contexts of the exact one. With weights: N and each count are as near as strata allow, by limits of six standard deviations; all
is exact where each call is a sample; and per function each one has its calls to within a stratum in each thread."""
import collections
import json
import math
import sys


def load(path):
    with open(path, encoding="utf-8") as file:
        profile = json.load(file)
    counts, paths = {}, []
    for node in profile["nodes"]:
        above = paths[node["parent"]] if node["parent"] >= 0 else ()
        paths.append(above + ((profile["frames"][node["frame"]]["linkage"], node["site"] and node["site"]["id"]),))
        if node["count"]:
            counts[paths[-1]] = node
    return profile, {path: node["count"] for path, node in counts.items()}, counts


def by_function(counts):
    found = collections.Counter()
    for path, count in counts.items():
        found[path[-1][0]] += count
    return found


def main():
    exact, truth, _ = load(sys.argv[1])
    profile, counts, nodes = load(sys.argv[2])
    estimate, calls = profile.get("estimate"), profile["calls"]
    counters = 4  # of each function: in three threads and a handler
    assert exact["guarantee"] == "exact" and sum(counts.values()) == calls
    strange = [path for path in counts if path not in truth]
    assert not strange, strange[:3]
    if not estimate:  # each call is a sample
        assert profile["guarantee"] == {"cct": "exact", "hcct": "deterministic"}[profile["mode"]]
        assert counts == truth and calls == exact["calls"]
        return
    period = estimate["period"]
    assert profile["guarantee"] == "probabilistic" and period != 1 and estimate["observed"] == estimate["bursts"]
    slack = (period - 1) * counters * (len(by_function(truth)) if estimate["kind"] != "calls" else 1)
    assert abs(calls - exact["calls"]) <= slack, (calls, exact["calls"])
    assert estimate["calls_low"] <= exact["calls"] <= estimate["calls_high"], estimate
    for path, count in truth.items():
        found, limit = counts.get(path, 0), 6 * math.sqrt(period * count) + 6 * period
        assert abs(found - count) <= limit, (path, count, found)
    if estimate["kind"] == "calls-per-function":
        found, expected = by_function(counts), by_function(truth)
        for name, count in expected.items():
            assert abs(found[name] - count) <= counters * period, (name, count, found[name])
    for path, node in nodes.items():  # an interval has some two standard deviations on each side, at the worst
        count, found, reach = truth[path], node["count"], 3 * max(node["high"] - node["count"], node["count"] - node["low"])
        assert abs(found - count) <= reach + 6 * period, (path, node, count)


main()
