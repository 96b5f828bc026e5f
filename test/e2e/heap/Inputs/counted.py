"""counted.py DECODE PROFILE COUNTED: a profile's bytes and blocks by the innermost function f_..., beside what counter.c counted. What belongs to none of them
is the libraries' own, as their thread-local storage, and is left out."""
import collections
import json
import subprocess
import sys

counted = {line.split()[0]: list(map(int, line.split()[1:])) for line in open(sys.argv[3], encoding="utf-8")}
found = collections.defaultdict(lambda: [0, 0, 0, 0])
for column, value in enumerate(("allocated", "blocks", "live", "live-blocks")):
    done = subprocess.run([sys.argv[1], "--all", "--format=json", "--no-inlines", "--value=" + value, sys.argv[2]], stdout=subprocess.PIPE, check=True)
    profile = json.loads(done.stdout)
    for node in profile["nodes"]:
        at = node
        while at and not profile["frames"][at["frame"]]["linkage"].startswith("f_"):
            at = profile["nodes"][at["parent"]] if at["parent"] >= 0 else None
        found[profile["frames"][at["frame"]]["linkage"] if at else "none"][column] += node["count"] or 0
for name in sorted(set(counted) | set(found) - {"none"}):
    if name != "none":
        assert counted.get(name, [0] * 4) == found[name], (name, counted.get(name), found[name])
assert len(counted) > 8 and not any(profile["dropped"].values()), counted
