"""bursts.py EXACT.json ESTIMATE.json [own]: an estimate from bursts against the exact profile of the same program.

Its contexts are contexts of the exact one, and each share of 5% and more is near, by limits that chance does not reach; every interval is
Wilson's, for all bursts or for the trials of its node, computed here anew; and what the bursts counted, multiplied by interval / length, is N where all weights are the same. Of N itself
nothing is told but what was counted."""
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
    factor = estimate["interval"] / estimate["length"]
    assert exact["guarantee"] == "exact" and "estimate" not in exact
    assert profile["guarantee"] == "probabilistic"
    assert 0 < estimate["bursts"] and estimate["bursts"] + estimate["skipped"] <= estimate["units"]
    if estimate["adaptive"]:
        assert factor * estimate["observed"] <= calls, (estimate, calls)
    else:  # a call that a burst ends in the middle of belongs to the thread's next one, or to none
        assert 0 <= calls - factor * estimate["observed"] <= 100 * factor and not estimate["skipped"], (estimate, calls)
    assert estimate["effective_bursts"] <= estimate["bursts"] + 1e-6
    assert estimate["calls_low"] == estimate["observed"] <= min(calls, exact["calls"]) and estimate["calls_high"] is None, estimate
    assert sum(node["count"] for node in counts.values()) == calls
    strange = [path for path in counts if path not in truth]
    assert not strange, strange[:3]
    far = []
    for path, node in truth.items():
        share, found = node["count"] / exact["calls"], counts.get(path)
        low, high = wilson(found["count"] / calls if found else 0, estimate["effective_bursts"], 4.3)  # so that no run is outside by chance
        if share >= 0.05 and not low <= share <= high:
            far.append((path[-1], share, found))
    assert not far, far
    own = [node for node in counts.values() if "trials" in node]
    if sys.argv[3:] == ["own"]:  # by site: most are known by their own spread, which is small in a program of loops
        assert 2 * sum(node["trials"] > 1.001 * estimate["effective_bursts"] for node in own) > len(counts), (own, estimate)
    check_intervals(counts.values(), calls, estimate["effective_bursts"], "share")
    for node in own:
        assert node["trials"] >= estimate["effective_bursts"] * 0.999, (node, estimate)
        check_intervals([node], calls, node["trials"], "own")


def check_intervals(nodes, calls, trials, name):
    for node in nodes:
        low = wilson((node["count"] - node["error"]) / calls, trials)[0]
        high = wilson(node["count"] / calls, trials)[1]
        for bound, found in ((max(0, low), node[name + "_low"]), (min(1, high), node[name + "_high"])):
            assert abs(bound - found) <= 1e-4, (node, low, high)


main()
