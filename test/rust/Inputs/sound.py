"""sound.py JSON [BOOKS | FUNCTION COUNT]...

Nothing is dropped or misplaced in the profile. BOOKS is a file that books.rs printed: each path of functions that
keep books, with its calls; the profile has these and no others, whatever else stands between them. "FUNCTION COUNT":
that function has so many calls.
"""
import json
import re
import sys
from collections import Counter

with open(sys.argv[1], encoding="utf-8") as file:
    profile = json.load(file)
wrong = {key: value for part in ("dropped", "misplaced") for key, value in profile[part].items() if value}
frames = [re.sub(r"::h[0-9a-f]{16}$", "", frame["function"]) for frame in profile["frames"]]
calls = Counter()
for node in profile["nodes"]:
    calls[frames[node["frame"]]] += node["count"] or 0


def by_path(names):
    """Calls of each path of those functions."""
    paths, found = [], Counter()
    for node in profile["nodes"]:
        above = paths[node["parent"]] if node["parent"] >= 0 else ""
        name = frames[node["frame"]]
        paths.append(f"{above};{name}".lstrip(";") if name in names else above)
        if name in names and node["count"]:
            found[paths[-1]] += node["count"]
    return found


for wanted in sys.argv[2:]:
    if " " in wanted:
        name, count = wanted.rsplit(" ", 1)
        if calls[name] != int(count):
            wrong[name] = calls[name]
        continue
    with open(wanted, encoding="utf-8") as file:
        books = {path: int(count) for path, count in (line.rstrip("\n").rsplit(" ", 1) for line in file)}
    found = by_path({name for path in books for name in path.split(";")})
    wrong |= {path: (books.get(path), found.get(path)) for path in books | found if books.get(path) != found.get(path)}
    if not books:
        wrong["books"] = "empty"
if wrong:
    sys.exit("\n".join(f"{key}: {value}" for key, value in wrong.items()))
