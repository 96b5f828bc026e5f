"""clock_book.py PROFILE.json BOOK: each path of BOOK ("path nanoseconds" a line) has that much time of its own, within 5 % and 12 ms; no
other has more than 12 ms, but for those that BOOK lists with "?"; the time at and below is the sum of what is there; nothing was lost."""
import json
import sys

profile = json.load(open(sys.argv[1]))
assert (profile["metric"], profile["unit"]) == ("clock", "ns"), profile["metric"]
paths, own = [], {}
for node in profile["nodes"]:
    frame = profile["frames"][node["frame"]]
    paths.append((paths[node["parent"]] + ";" if node["parent"] >= 0 else "") + frame["function"].split("(")[0])
    own[paths[-1]] = own.get(paths[-1], 0) + (node["count"] or 0)
assert profile["calls"] == sum(own.values()), (profile["calls"], sum(own.values()))
assert not any(profile["dropped"].values()) and not any(profile["misplaced"].values()), (profile["dropped"], profile["misplaced"])
book = dict(line.rstrip("\n").rsplit(" ", 1) for line in open(sys.argv[2]))
wrong = False
for path in sorted(own.keys() | book.keys()):
    want, found = book.get(path, "0"), own.get(path, 0)
    if want != "?" and abs(found - int(want)) > 0.05 * int(want) + 12e6:
        print(f"{path}: {int(want) / 1e6:.1f} ms by the program's own clock, {found / 1e6:.1f} ms in the profile")
        wrong = True
sys.exit(wrong)
