"""bursts.py EXACT.json ESTIMATE.json: an estimate from bursts against the exact profile of the same program.

Its contexts are contexts of the exact one; its N, and each share of 5% and more, is near, by limits that chance does not reach;
every interval is Wilson's, computed here anew; and what the bursts counted, multiplied by time / time in bursts, is N where all weights are the same. The share of
time in bursts is about length / interval."""
import json
import math
import sys


def load(path):
    with open(path, encoding="utf-8") as file:
        profile = json.load(file)
    nodes, counts = profile["nodes"], {}
    frames = [frame["linkage"] for frame in profile["frames"]]
    paths = []
    for node in nodes:
        above = paths[node["parent"]] if node["parent"] >= 0 else ()
        paths.append(above + ((frames[node["frame"]], node["site"] and node["site"]["id"]),))
        if node["count"] is not None:
            counts[paths[-1]] = node
    return profile, counts


def wilson(share, trials, z=1.959964):
    middle = (share + z * z / 2 / trials) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * math.sqrt(share * (1 - share) / trials + z * z / 4 / trials / trials)
    return middle - half, middle + half


def main():
    exact, truth = load(sys.argv[1])
    profile, counts = load(sys.argv[2])
    estimate, calls = profile["estimate"], profile["calls"]
    nominal, scale = estimate["interval"] / estimate["length"], estimate["time"] / estimate["counted_time"]
    assert nominal / 2 < scale < nominal * 2, (nominal, scale)
    assert exact["guarantee"] == "exact" and "estimate" not in exact
    assert profile["guarantee"] == "probabilistic"
    assert 0 < estimate["bursts"] and estimate["bursts"] + estimate["skipped"] <= estimate["units"]
    if estimate["adaptive"]:
        assert scale * (estimate["observed"] - 100) <= calls, (estimate, calls)
    else:
        assert abs(scale * estimate["observed"] / calls - 1) < 1e-6 and not estimate["skipped"], (estimate, calls)
    assert estimate["effective_bursts"] <= estimate["bursts"] + 1e-6
    least, most = (0.1, 5) if estimate["adaptive"] else (0.4, 1.8) # a few bursts stand for many, and counting takes time itself
    assert least * exact["calls"] < calls < most * exact["calls"], (exact["calls"], calls)
    assert estimate["calls_low"] <= calls <= estimate["calls_high"]
    assert sum(node["count"] for node in counts.values()) == calls
    strange = [path for path in counts if path not in truth]
    assert not strange, strange[:3]
    far = []
    for path, node in truth.items():
        share, found = node["count"] / exact["calls"], counts.get(path)
        low, high = wilson(found["count"] / calls if found else 0, estimate["effective_bursts"], 4)  # so that no run is outside by chance
        if share >= 0.05 and not low <= share <= high:
            far.append((path[-1], share, found))
    assert not far, far
    for node in counts.values():
        low = wilson((node["count"] - node["error"]) / calls, estimate["effective_bursts"])[0] * calls
        high = wilson(node["count"] / calls, estimate["effective_bursts"])[1] * calls
        for bound, found in ((max(0, low), node["low"]), (min(calls, high), node["high"])):
            assert abs(bound - found) <= 2 + 1e-4 * calls, (node, low, high)


main()
