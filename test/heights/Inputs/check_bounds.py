"""usage: check_bounds.py BOOK PROFILE

Fails unless the profile (json) has each path of the program's book, with count - error <= the book's count <= count, and is sure of no other one; or if
some samples are of no path."""
import json
import sys

book = {line.split()[0]: int(line.split()[1]) for line in open(sys.argv[1])}
profile = json.load(open(sys.argv[2]))
names, found = [], {}
for node in profile["nodes"]:
    above = names[node["parent"]] + ";" if node["parent"] >= 0 else ""
    names.append(above + profile["frames"][node["frame"]]["function"])
    if node["count"]:
        found[names[-1]] = (node["count"], node["error"])
for name, (count, error) in found.items():
    if not count - error <= book.get(name, 0) <= count:
        sys.exit(f"{name}: {count} - {error}, but the book has {book.get(name, 0)}")
if not set(book) <= set(found):
    sys.exit(f"not found: {set(book) - set(found)}")
print(len(found), "paths for", len(book))
