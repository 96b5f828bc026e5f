"""Counts the values of probabilistic calling contexts itself, from a decoded exact profile: pcc.py BITS PROFILE.json STATISTICS.json"""
import json
import sys

bits = int(sys.argv[1])
profile, told = (json.load(open(path, encoding="utf-8")) for path in sys.argv[2:])
values, contexts, seen = [], 0, set()
for node in profile["nodes"]:
    frame = profile["frames"][node["frame"]]
    above, site = values[node["parent"]] if node["parent"] >= 0 else 1, node["site"]
    value = (3 * above + (int(site["id"], 16) >> (64 - bits))) % 2**bits if site else above  # a callback is called with what its caller's site gave
    values.append(value)
    if frame["kind"] == "function":
        assert node["count"], frame
        contexts += 1
        seen.add((3 * value + told["functions"][frame["linkage"]]) % 2**bits or 1)
print(f"{contexts} contexts, {contexts - len(seen)} collisions")
assert told["values"] == len(seen), (told["values"], len(seen))
