"""clock_book.py PROFILE.json BOOK: each path of BOOK ("path nanoseconds" a line) has at least that much time of its own. The rest of
[all], which is the time of all threads, was outside of what BOOK lists. A path may have part of it, and all paths together have no
more than [all]. The time at and below is the sum of what is there; nothing was lost. On a busy machine the rest is more, so the
verdict is the same; a path that lacks time is wrong on any machine."""
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
book = {path: int(time) for path, time in (line.rstrip("\n").rsplit(" ", 1) for line in open(sys.argv[2]))}
everything = book.pop("[all]")
rest = everything - sum(book.values())


def off(time):
    """What the processor's clock and the system's may differ by."""
    return 0.01 * time + 1e6


wrong = profile["calls"] > everything + off(everything) or rest < 0
if wrong:
    print(f"{profile['calls'] / 1e6:.1f} ms in the profile, {sum(book.values()) / 1e6:.1f} in the book, of {everything / 1e6:.1f}")
for path in sorted(own.keys() | book.keys()):
    want, found = book.get(path, 0), own.get(path, 0)
    if not want - off(want) <= found <= want + rest + off(want):
        print(f"{path}: {want / 1e6:.1f} ms by the program's own clock, {found / 1e6:.1f} ms in the profile, rest {rest / 1e6:.1f}")
        wrong = True
sys.exit(wrong)
