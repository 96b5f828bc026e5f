"""time_shares.py PROFILE.json BOOK: the time at and below each path of BOOK ("path seconds" a line, of one or more runs) is what the book says, within
3 points of all time, and what a third column says may be elsewhere; all time is within 5 %; next to nothing was lost."""
import json
import re
import sys

profile = json.load(open(sys.argv[1]))
assert profile["metric"] in ("time", "wall") and (profile["unit"], profile["guarantee"]) == ("ns", "probabilistic"), profile["metric"]
paths, inclusive = [], {}
for node in profile["nodes"]:
    frame = profile["frames"][node["frame"]]
    parent = paths[node["parent"]] + ";" if node["parent"] >= 0 else ""
    paths.append(parent + frame["function"])
    path = paths[-1]
    while node["count"] and path:
        inclusive[path] = inclusive.get(path, 0) + node["count"]
        path = path.rpartition(";")[0]
book = {}
slack = {}
for line in open(sys.argv[2]):
    path, seconds, open_seconds = re.fullmatch(r"(.*?) ([-0-9.]+)(?: ([-0-9.]+))?\n", line).groups(default="0")
    book[path] = book.get(path, 0) + float(seconds)
    slack[path] = slack.get(path, 0) + float(open_seconds)
total, told = sum(book.values()), profile["calls"] / 1e9
assert abs(told - total) < 0.05 * total + 0.05, (told, total)
assert sum(profile["dropped"].values()) <= 0.05 * profile["calls"], profile["dropped"]
wrong = [(path, seconds, inclusive.get(path, 0) / 1e9) for path, seconds in book.items()
         if abs(seconds / total - inclusive.get(path, 0) / profile["calls"]) > 0.03 + slack[path] / total]
for path, seconds, found in wrong:
    print(f"{path}: {seconds:.2f} s by the clock, {found:.2f} s in the profile")
sys.exit(bool(wrong))
