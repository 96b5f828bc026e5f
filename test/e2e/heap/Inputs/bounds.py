"""bounds.py DECODE EXACT HOT: compares every value of every context."""
import json
import subprocess
import sys

decode, exact, hot = sys.argv[1:]


def read(file, value):
    """Own counts by path, call sites included; and the profile."""
    out = subprocess.run([decode, "--all", "--format=json", f"--value={value}", file], check=True, capture_output=True).stdout
    profile = json.loads(out)
    paths, counts = [], {}
    for node in profile["nodes"]:
        parent = paths[node["parent"]] if node["parent"] >= 0 else ()
        paths.append(parent + ((profile["frames"][node["frame"]]["function"], (node["site"] or {}).get("id")),))
        if node["count"] is not None:
            counts[paths[-1]] = (node["count"], node["error"])
    return profile, counts


most = 0
for value in ("allocated", "blocks", "live", "live-blocks", "peak", "peak-blocks", "temporary", "resized"):
    all_of, true = read(exact, value)
    some_of, found = read(hot, value)
    assert all_of["calls"] == some_of["calls"], (value, all_of["calls"], some_of["calls"])
    same = {"mean-life": 0, "curve": 0}  # means are compared below, and a curve has times
    assert all_of["heap"] | same == some_of["heap"] | same, value
    most = max(most, len(true))  # a mean of means is rounded down once for each context
    assert abs(all_of["heap"]["mean-life"] - some_of["heap"]["mean-life"]) <= most, value
    assert all_of["guarantee"] == "exact" and sum(count for count, _ in true.values()) == all_of["calls"], value
    rest = some_of["dropped"]["memory"]
    for path, (count, error) in found.items():
        real = true.get(path, (0, 0))[0]
        if value == "allocated":
            assert count - error <= real <= count and error <= some_of["epsilon"] * some_of["calls"], (value, path, count, error, real)
        else:
            assert count <= real <= count + rest, (value, path, count, real, rest)
    if value == "allocated":
        for path, (real, _) in true.items():
            assert path in found or real < some_of["phi"] * some_of["calls"], (path, real)
    else:
        assert sum(count for count, _ in found.values()) + some_of["dropped"]["chain"] + rest == some_of["calls"], value
