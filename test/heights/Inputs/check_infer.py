"""usage: check_infer.py BOOK PROFILE [PATH...]

Fails unless the inferred profile (json) has the paths of the program's book with their counts: exactly, or, of the PATHs, which no height
tells apart, each with the counts of all and an error as large."""
import json
import sys

twins = set(sys.argv[3:])
book = {line.split()[0]: int(line.split()[1]) for line in open(sys.argv[1])}
profile = json.load(open(sys.argv[2]))
names, found = [], {}
for node in profile["nodes"]:
    above = names[node["parent"]] + ";" if node["parent"] >= 0 else ""
    names.append(above + profile["frames"][node["frame"]]["function"])
    if node["count"]:
        found[names[-1]] = (node["count"], node["error"])
both = sum(book.get(name, 0) for name in twins)
wanted = {name: (count, 0) for name, count in book.items() if name not in twins}
wanted.update({name: (both, both) for name in twins if both})
if found != wanted or profile["calls"] != sum(book.values()):
    sys.exit(f"of {profile['calls']}: {found}\ninstead of {wanted}")
