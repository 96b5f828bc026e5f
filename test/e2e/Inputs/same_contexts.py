"""Whether profiles (hcct-decode --format=json --all) have the same contexts, site by site, with the same counts, and lost
nothing.

usage: same_contexts.py JSON JSON...
"""
import json
import sys


numbers, steps = {}, []  # of contexts: (number of the parent, site, function, kind), the same in all files


def read(name):
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
    if any(lost.values()):
        sys.exit(f"{name}: {lost}")
    if sum(counts.values()) != profile["calls"]:
        sys.exit(f"{name}: {sum(counts.values())} calls in contexts, {profile['calls']} in all")
    return counts


def show(number):
    names = []
    while number is not None:
        number, _, name, kind = steps[number]
        names.append(name or kind)
    return ";".join(reversed(names))


first = read(sys.argv[1])
for other_name in sys.argv[2:]:
    other = read(other_name)
    wrong = [number for number in first.keys() | other.keys() if first.get(number) != other.get(number)]
    for number in wrong[:10]:
        print(f"{first.get(number)} and {other.get(number)}: {show(number)}")
    if wrong:
        sys.exit(f"{len(wrong)} of {len(first)} contexts differ: {sys.argv[1]}, {other_name}")
print(f"{len(first)} contexts")
