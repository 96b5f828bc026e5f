"""Holds what a sum says of the single profiles against what hcct-decode says of each of these alone.

usage: spread.py exact|bounds SUM.json NAME=TRUTH.json...   (TRUTH is the exact profile of that run; they stand in the order in which they were added)
"""
import sys
from contexts import Contexts

contexts = Contexts()
kind, whole = sys.argv[1], contexts.read(sys.argv[2])
names, truths = [], []
for argument in sys.argv[3:]:
    name, _, path = argument.partition("=")
    names.append(name)
    truths.append(contexts.read(path).counts)
spreads, seen = {}, []
for node in whole.head["nodes"]:
    frame, site = whole.head["frames"][node["frame"]], node["site"]
    step = (frame["kind"], frame["linkage"], frame["function"], frame["file"], frame["line"])
    step += (site and (site["id"], site["file"], site["line"], site["column"]),)
    seen.append(contexts.number(seen[node["parent"]] if node["parent"] >= 0 else -1, step))
    if node["count"] is not None:
        spreads[seen[-1]] = node["spread"]
wrong, lacks, differs = [], 0, 0
if whole.head["profiles"] != len(truths):
    wrong.append(f"{whole.head['profiles']} profiles instead of {len(truths)}")
for context, it in spreads.items():
    counts = [truth.get(context, 0) for truth in truths]
    present = sum(context in truth for truth in truths)
    least, most = min(counts), max(counts)
    mean = sum(counts) / len(counts)
    lacks += present < len(truths)
    differs += least != most
    good = it["min_low"] <= least <= it["min_high"] and it["max_low"] <= most <= it["max_high"] and it["present"] <= present
    good = good and it["mean_low"] - 1e-6 <= mean <= it["mean_high"] + 1e-6 and it["present"] + it["absent"] == len(truths)
    if kind == "exact":
        # One that lacks a context has 0 of it, and no exact profile has a context with 0.
        good = good and it["min_low"] == it["min_high"] and it["max_low"] == it["max_high"] and it["present"] == present
        good = good and it["min_at"] == names[counts.index(least)] and it["max_at"] == names[counts.index(most)]
    else:
        good = good and (not it["max_at"] or it["max_at"] in names) and it["max_high"] - it["max_low"] <= whole.head["epsilon"] * whole.calls
    if not good:
        wrong.append(f"{counts}: {it}")
for line in wrong[:20]:
    print(line)
print(f"{len(spreads)} contexts of {len(truths)} profiles, {lacks} lack in some, {differs} differ, {len(wrong)} wrong")
sys.exit(bool(wrong) or not lacks or not differs)
