"""sampled.py DECODE EXACT SAMPLED...: each estimate is within six standard deviations of the exact value; of several files, 95% of intervals
hold, about. The values of one context come from the same samples, so that one file tells no more than eight contexts do: no share of it is judged."""
import json
import subprocess
import sys

decode, exact, *sampled = sys.argv[1:]
VALUES = ("allocated", "blocks", "live", "live-blocks", "peak", "peak-blocks", "temporary", "resized")


def read(file, value):
    out = subprocess.run([decode, "--all", "--format=json", f"--value={value}", file], check=True, capture_output=True).stdout
    profile = json.loads(out)
    paths, found = [], {}
    for node in profile["nodes"]:
        parent = paths[node["parent"]] if node["parent"] >= 0 else ()
        paths.append(parent + ((profile["frames"][node["frame"]]["function"], (node["site"] or {}).get("id")),))
        if node["count"] is not None:
            found[paths[-1]] = node
    return profile, found


tried = held = 0
for value in VALUES:
    whole, true = read(exact, value)
    assert whole["guarantee"] == "exact" and len(true) >= (1 if value == "resized" else 8), value
    for file in sampled:
        profile, found = read(file, value)
        heap = profile["heap"]
        assert profile["guarantee"] == "probabilistic" and heap["period"] == 4096
        half = (heap["high"] - heap["low"]) / 2
        # the peak is where the estimate has its maximum, so it is rather too high
        allowed = 6 / 1.96 * half + (0.02 * whole["calls"] if value.startswith("peak") else 0)
        assert abs(profile["calls"] - whole["calls"]) <= allowed, (value, file, profile["calls"], whole["calls"], half)
        assert set(found) <= set(true), value
        for path, node in true.items():
            if path not in found:
                continue
            low, high = found[path]["low"], found[path]["high"]
            if high - low > 0.4 * found[path]["count"]:
                continue  # fewer than 100 samples
            if not value.startswith("peak"):
                assert abs(found[path]["count"] - node["count"]) <= 6 / 1.96 * (high - low) / 2, (value, file, path, node["count"], low, high)
            tried += 1
            held += low <= node["count"] <= high
assert tried > 20 and (len(sampled) < 12 or held / tried > 0.8), (tried, held)
print("intervals:", held, "of", tried)
