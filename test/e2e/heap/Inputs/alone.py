"""alone.py DECODE TOLD: what the profiles of the processes that alone.c made say, by how the handler went on, the process, and its status."""
import collections
import json
import subprocess
import sys

BEFORE, BLOCKS = 60, 3000
seen = collections.Counter()


def values(process, value):
    """Bytes by the innermost function of the program's, and the profile."""
    done = subprocess.run([sys.argv[1], "--all", "--format=json", "--value=" + value, f"ids.bin.{process}"], stdout=subprocess.PIPE, check=True)
    profile, found = json.loads(done.stdout), collections.Counter()
    for node in profile["nodes"]:
        at = node
        while profile["frames"][at["frame"]]["kind"] == "external" and at["parent"] >= 0:
            at = profile["nodes"][at["parent"]]
        found[profile["frames"][at["frame"]]["function"]] += node["count"] or 0
    return found, profile


def is_sound(process):
    return subprocess.run([sys.argv[1], f"ids.bin.{process}"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False).returncode == 0


for line in open(sys.argv[2], encoding="utf-8"):
    how, process, status = map(int, line.split())
    assert status in (0, 1 << 8), line
    struck = status != 0
    if how == 2 and struck and not is_sound(process): # the jump left what the profile is made of in the middle of a change
        seen["refused"] += 1
        continue
    allocated, profile = values(process, "allocated")
    live = values(process, "live")[0]
    dropped = profile["dropped"]["interrupted"]
    if how == 2 and struck and dropped: # the jump left a change in its middle, so counting ended
        seen["ended"] += 1
        continue
    if how == 2 and struck: # the block was allocated or not, and the other freed or not
        seen["jumped"] += 1
        assert allocated["work"] in (100 * BEFORE, 100 * BEFORE + 1000) and live["work"] in (0, 100, 1000, 1100), (line, allocated, live)
        continue
    assert (allocated["work"], live["work"]) == (100 * BEFORE + 1000, 1000), (line, allocated, live)
    if how == 0 and struck:
        assert allocated["other"] + dropped == 10 * BLOCKS and live["other"] == allocated["other"] / 2, (line, allocated, live, dropped)
        seen["dropped" if dropped else "counted"] += 1
    else:
        assert not dropped, line
print(dict(seen))
assert all(seen[what] > 3 for what in ("dropped", "counted", "ended", "jumped"))
