"""clock_between.py PROFILE.json BOOK: each function of BOOK ("function least most" a line, in nanoseconds) has a time between those."""
import json
import sys

profile = json.load(open(sys.argv[1]))
found = {}
for node in profile["nodes"]:
    name = profile["frames"][node["frame"]]["function"]
    found[name] = found.get(name, 0) + (node["count"] or 0)
wrong = False
for line in open(sys.argv[2]):
    name, least, most = line.split()
    off = 0.01 * int(most) + 1e6 if int(most) else 0  # what the processor's clock and the system's may differ by
    if not int(least) - off <= found.get(name, 0) <= int(most) + off:
        print(f"{name}: {found.get(name, 0) / 1e6:.1f} ms in the profile, not {int(least) / 1e6:.1f} to {int(most) / 1e6:.1f}")
        wrong = True
sys.exit(wrong)
