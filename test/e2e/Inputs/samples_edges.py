"""samples_edges.py EXACT LAST ALL-NEW: folded profiles of samples-edges.c. What second() is called to each call of its leaf() is 1 in 200."""
import sys


def counts(path):
    with open(path, encoding="utf-8") as file:
        lines = [line.rsplit(" ", 1) for line in file]
    return {name.rsplit(";", 1)[-1] if name.count(";") < 3 else name.rsplit(";", 2)[-2] + ";leaf": int(count) for name, count in lines}


exact, last, all_new = map(counts, sys.argv[1:])
assert exact["second"] == 10000 and exact["second;leaf"] == 2000000, exact
for name in ("first;leaf", "second;leaf"):
    assert 0.8 < last[name] / exact[name] < 1.2, (name, last)
for name in ("first", "second"):
    assert last.get(name, 0) < 6 * exact[name], (name, last)
    share = all_new[name] / all_new["second;leaf"]
    assert all_new[name] > 10 * exact[name] and share > 0.1, (name, all_new)
