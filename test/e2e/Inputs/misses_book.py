"""misses_book.py PROFILE.json BOOK OPTIONS: a profile has as many calls as the program says in its book; with mode=cct also by function, and
otherwise no function has surely more than it was called."""
import collections
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    profile = json.load(file)
with open(sys.argv[2], encoding="utf-8") as file:
    book = json.load(file)
assert book["handle"] > 100, book
assert profile["calls"] == sum(book.values()), (profile["calls"], book)
lost = {**profile["dropped"], **profile["misplaced"]}
is_exact = "mode=cct" in sys.argv[3]
if not is_exact:
    del lost["chain"]  # of contexts that came once
assert not any(lost.values()), lost
surely = collections.Counter()
for node in profile["nodes"]:
    surely[profile["frames"][node["frame"]]["linkage"]] += (node["count"] or 0) - node["error"]
for name, calls in book.items():
    assert surely[name] == calls if is_exact else surely[name] <= calls, (name, surely[name], calls)
