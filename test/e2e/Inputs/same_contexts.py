"""Whether profiles (hcct-decode --format=json --all) have the same contexts, site by site, with the same counts, and lost
nothing. With --lost=SHARE the others may have lost the callers of that share of the calls, where they say of how many: exactly
these calls are missing, and stand under [unknown].

usage: same_contexts.py [--lost=SHARE] JSON JSON...
"""
import json
import sys


numbers, steps = {}, []  # of contexts: (number of the parent, site, function, kind), the same in all files


def read(name, may_lose=0.0):
    with open(name, encoding="utf-8") as file:
        profile = json.load(file)
    counts, places = {}, []
    for node in profile["nodes"]:
        parent = places[node["parent"]] if node["parent"] >= 0 else None
        frame = profile["frames"][node["frame"]]
        step = (parent, node["site"] and node["site"]["id"], frame["linkage"], frame["kind"])
        number = numbers.setdefault(step, len(steps))
        if number == len(steps):
            steps.append(step)
        places.append(number)
        if node["count"] is not None:
            counts[number] = counts.get(number, 0) + node["count"]
    lost = {**profile["dropped"], **profile["misplaced"]}
    stale = lost.pop("stale")
    if any(lost.values()) or stale > may_lose * profile["calls"]:
        sys.exit(f"{name}: {lost}, stale: {stale}")
    if sum(counts.values()) != profile["calls"]:
        sys.exit(f"{name}: {sum(counts.values())} calls in contexts, {profile['calls']} in all")
    return counts, stale


def is_lost(number):
    while steps[number][0] is not None:
        number = steps[number][0]
    return steps[number][3] == "unknown"


def show(number):
    names = []
    while number is not None:
        number, _, name, kind = steps[number]
        names.append(name or kind)
    return ";".join(reversed(names))


may_lose = 0.0
if sys.argv[1].startswith("--lost="):
    may_lose = float(sys.argv.pop(1)[len("--lost="):])
first, _ = read(sys.argv[1])
for other_name in sys.argv[2:]:
    other, stale = read(other_name, may_lose)
    wrong = [number for number in first.keys() | other.keys() if first.get(number) != other.get(number)]
    if stale:
        missing = [first.get(number, 0) - other.get(number, 0) for number in wrong if not is_lost(number)]
        if min(missing) >= 0 and sum(missing) == stale:
            wrong = []
    for number in wrong[:10]:
        print(f"{first.get(number)} and {other.get(number)}: {show(number)}")
    if wrong:
        sys.exit(f"{len(wrong)} of {len(first)} contexts differ: {sys.argv[1]}, {other_name}")
print(f"{len(first)} contexts")
