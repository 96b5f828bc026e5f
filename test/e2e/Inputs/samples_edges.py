"""samples_edges.py PERIOD EXACT LAST ALL-NEW: folded profiles of samples-edges.c."""
import sys


def counts(path):
    with open(path, encoding="utf-8") as file:
        lines = [line.rsplit(" ", 1) for line in file]
    return {name.rsplit(";", 1)[-1]: int(count) for name, count in lines}


period = int(sys.argv[1])
exact, last, all_new = map(counts, sys.argv[2:])
assert exact == {"main": 1, "a": 1, "b": 1000, "c": 100000}, exact
samples = sum(last.values()) // period
assert 0.8 < last["c"] / exact["c"] < 1.2, last
assert last.get("b", 0) <= period * max(12, 0.1 * samples), last  # a sample is in b with a chance of 1 in 101
# two samples of one b are at most 100 calls apart: 1 pair in 2 (period / 100)^2, about
assert 0.85 < all_new["b"] / all_new["c"] < 1.15, all_new
assert all_new["a"] == all_new["main"] == period, all_new
