"""sound.py JSON [FUNCTION COUNT]...: nothing is dropped or misplaced in the profile, and each function has that many calls."""
import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    profile = json.load(file)
lost = {key: value for part in ("dropped", "misplaced") for key, value in profile[part].items() if value}
counts = {}
for node in profile["nodes"]:
    name = re.sub(r"::h[0-9a-f]{16}$", "", profile["frames"][node["frame"]]["function"])
    counts[name] = counts.get(name, 0) + (node["count"] or 0)
for wanted in sys.argv[2:]:
    name, count = wanted.rsplit(" ", 1)
    if counts.get(name) != int(count):
        lost[name] = counts.get(name)
if lost:
    sys.exit(str(lost))
