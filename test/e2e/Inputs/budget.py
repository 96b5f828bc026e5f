"""budget.py EXACT.json ESTIMATE.json [COLD...]: a profile of budget=… that had to go to bursts, against the exact one of the same program.

Its contexts are contexts of the exact one, and the true share of each context is within the bounds that the profile tells. What was
counted and N fit together. COLD are functions each of whose contexts has less than phi of the calls: a bounded profile need not have
them all, so their sum is bounded from below only."""
import json
import sys


def load(path):
    with open(path, encoding="utf-8") as file:
        profile = json.load(file)
    counts, paths = {}, []
    frames = [frame["linkage"] for frame in profile["frames"]]
    for node in profile["nodes"]:
        above = paths[node["parent"]] if node["parent"] >= 0 else ()
        paths.append(above + ((frames[node["frame"]], node["site"] and node["site"]["id"]),))
        if node["count"] is not None:
            counts[paths[-1]] = node
    return profile, counts


def main():
    exact, truth = load(sys.argv[1])
    profile, counts = load(sys.argv[2])
    cold = sys.argv[3:] if profile["mode"] == "hcct" else []
    estimate, calls = profile["estimate"], profile["calls"]
    assert exact["guarantee"] == "exact" and "estimate" not in exact
    assert profile["guarantee"] == "probabilistic" and estimate["kind"] == "budget", profile
    assert 0 < estimate["bursts"] <= estimate["units"], estimate
    # each call in a burst stands for 11 or more: a burst takes at most 10% of the rest of its interval
    inside = estimate["observed"] - estimate["whole"]
    assert 0 <= inside and estimate["whole"] + 11 * inside <= calls, (estimate, calls)
    assert estimate["interval"] >= 10 * estimate["length"], estimate  # a mean
    assert estimate["calls_low"] == estimate["observed"] <= exact["calls"] and estimate["calls_high"] is None
    assert estimate["observed"] < exact["calls"] / 2
    counted = sum(node["count"] for node in counts.values())
    assert counted == calls if profile["mode"] == "cct" else counted <= calls, (counted, calls)
    strange = [path for path in counts if path not in truth]
    assert not strange, strange[:3]
    for path, node in counts.items():
        share = truth[path]["count"] / exact["calls"]
        assert node["share_low"] <= share, (path[-1], share, node)
        if path[-1][0] in cold:
            continue
        assert share <= node["share_high"], (path[-1], share, node)
        assert node["share_low"] <= node["share"] <= node["share_high"] if "share" in node else True
        if "trials" in node and share >= 0.02:  # 95%, so three times as wide here, that no run is outside by chance
            half = node["own_high"] - node["own_low"]
            assert node["own_low"] - half <= share <= node["own_high"] + half, (path[-1], share, node)


main()
