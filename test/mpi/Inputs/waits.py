"""FILE LEAF PARENT MOST LEAST: the time of the one leaf of that name below that function is most at the one rank, and none at the other."""
import json
import sys

path, leaf, parent, most, least = sys.argv[1:]
with open(path) as file:
    profile = json.load(file)
names = [profile["frames"][node["frame"]]["function"] for node in profile["nodes"]]
found = [node for node, name in zip(profile["nodes"], names) if name == leaf and node["parent"] >= 0 and names[node["parent"]] == parent]
assert len(found) == 1, found
spread = found[0]["spread"]
assert spread["max_at"] == most and spread["min_at"] == least and spread["min_high"] == 0 and spread["absent"] == 1, spread
