"""Holds a merged profile against the exact ones of the same runs: c - e <= w <= c and e <= epsilon * N for every context,
and none with w >= phi * N is missing.

usage: bounds.py [--part] MERGED.json EXACT.json...      (an EXACT may be given as N*FILE: N times)
--part: of a part of what was merged, as a phase; it may be exact by chance, as it depends on the hash of words what a bounded run loses.
"""
import sys
from contexts import Contexts

is_part = sys.argv[1] == "--part"
files = sys.argv[1 + is_part:]
contexts = Contexts()
merged = contexts.read(files[0])
truth, calls = {}, 0
for name in files[1:]:
    times, _, path = name.rpartition("*")
    exact = contexts.read(path)
    assert exact.head["guarantee"] == "exact" and not any(exact.head["dropped"].values())
    times = int(times or 1)
    calls += times * exact.calls
    for context, count in exact.counts.items():
        truth[context] = truth.get(context, 0) + times * count
wrong, too_low = [], []
if merged.calls != calls:
    wrong.append(f"{merged.calls} calls instead of {calls}")
for context, count in merged.counts.items():
    error, true = merged.errors[context], truth.get(context, 0)
    if not count - error <= true <= count:
        (wrong if count - error > true else too_low).append(f"{true} is not within [{count} - {error}, {count}]")
    if error > merged.head["epsilon"] * calls:
        wrong.append(f"error {error} is above epsilon * N = {merged.head['epsilon'] * calls}")
for context, true in truth.items():
    if true >= merged.head["phi"] * calls and context not in merged.counts:
        too_low.append(f"a context of {true} calls is missing")
# Sticky sampling's upper bound may fail for a context with more than the floor, with a probability of phi * delta: 2e-4, for some 200 of them in the five runs that are
# merged here. Three or more fail in one of 80,000 builds, (200 * 2e-4)^3 / 6; the same build has the same result. The others never fail.
if len(too_low) > (2 if merged.head["guarantee"] == "probabilistic" else 0):
    wrong += too_low
for line in wrong[:20]:
    print(line)
largest = max(merged.errors.values(), default=0)
print(f"{len(truth)} contexts, {len(merged.counts)} monitored, {calls} calls, largest error {largest}, {len(wrong)} wrong")
# A test whose profiles hold every context exactly would show nothing.
sys.exit(bool(wrong) or (merged.head["guarantee"] != "exact" and largest == 0 and not is_part))
