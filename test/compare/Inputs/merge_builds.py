"""Adds up what hcct-decode says of single profiles, by function and line, and holds it against the profile that hcct-merge --force made.

usage: merge_builds.py sum MERGED.json ONE.json...       of exact profiles: the same contexts, counts and errors
       merge_builds.py bounds MERGED.json EXACT.json...  each count within its bounds, no hot context missing
       merge_builds.py spread MERGED.json ONE.json...    each context's least and largest count in the single profiles, and how many lack it
       merge_builds.py within MERGED.json ONE.json...    the same within bounds: several contexts of a build may be one by function and line
       merge_builds.py same MERGED.json OTHER.json       the same sum, made in another order
"""
import collections
import json
import os
import sys


class Profile:
    def __init__(self, path):
        with open(path) as file:
            self.head = json.load(file)
        self.counts, self.errors, self.spreads = collections.Counter(), collections.Counter(), {}
        paths = []
        for node in self.head["nodes"]:
            frame, site = self.head["frames"][node["frame"]], node["site"]
            place = site and ((os.path.basename(site["file"]), site["line"]) if site["line"] else site["id"])
            paths.append((paths[node["parent"]] if node["parent"] >= 0 else ()) + ((frame["kind"], frame["function"], frame["linkage"].split(".")[0], place),))
            if node["count"] is not None:
                self.counts[paths[-1]] += node["count"]
                self.errors[paths[-1]] += node["error"]
                self.spreads[paths[-1]] = node.get("spread")
        self.calls = self.head["calls"]


def differences(merged, singles, kind):
    calls = sum(one.calls for one in singles)
    if merged.calls != calls:
        yield f"{merged.calls} calls instead of {calls}"
    contexts = set().union(*(one.counts for one in singles))
    if kind != "bounds" and set(merged.counts) != contexts:
        yield f"{len(merged.counts)} contexts instead of {len(contexts)}: {list(set(merged.counts) ^ contexts)[:3]}"
    told = sum(spread is not None for spread in merged.spreads.values())
    if kind == "within" and told * 5 < len(merged.spreads) * 4:
        yield f"only {told} of {len(merged.spreads)} spreads are told"
    for context in contexts & set(merged.counts):
        count, error = merged.counts[context], merged.errors[context]
        each = [one.counts.get(context) for one in singles]
        if kind == "sum":
            if (count, error) != (sum(filter(None, each)), 0):
                yield f"{context[-2:]}: {count} with error {error} instead of {each}"
        elif kind == "bounds" and not count - error <= sum(filter(None, each)) <= count:
            yield f"{context[-2:]}: {each} is not within {count - error}..{count}"
        elif kind == "bounds" and error > merged.head["epsilon"] * calls:
            yield f"{context[-2:]}: an error of {error}"
        elif kind == "within" and merged.spreads[context] is None:
            continue  # contexts of a sum became one: who had both is not known
        elif kind in ("spread", "within"):
            known, spread = [own or 0 for own in each], merged.spreads[context]
            least, most, lack = min(known), max(known), each.count(None)
            if kind == "spread":
                good = [spread[key] for key in ("min_low", "min_high", "max_low", "max_high", "absent")] == [least, least, most, most, lack]
            else:
                good = spread["min_low"] <= least <= spread["min_high"] and spread["max_low"] <= most <= spread["max_high"] and spread["absent"] >= lack
            if not good:
                yield f"{context[-2:]}: {each}, but {spread}"
    for context in contexts - set(merged.counts):
        if kind == "bounds" and sum(one.counts.get(context, 0) for one in singles) >= merged.head["phi"] * calls:
            yield f"{context[-2:]} is missing"


kind, merged, singles = sys.argv[1], Profile(sys.argv[2]), [Profile(path) for path in sys.argv[3:]]
if kind == "same":
    wrong = [] if (merged.counts, merged.errors, merged.calls) == (singles[0].counts, singles[0].errors, singles[0].calls) else ["they differ"]
else:
    wrong = list(differences(merged, singles, kind))
for line in wrong[:20]:
    print(line)
print(f"{len(merged.counts)} contexts, {merged.calls} calls, {len(singles)} profiles, {len(wrong)} wrong")
# Where all profiles had the same contexts, or none has an error to bound, nothing was shown.
alike = kind in ("sum", "spread", "within") and all(set(one.counts) == set(singles[0].counts) for one in singles)
sys.exit(bool(wrong) or not merged.counts or alike or (kind == "bounds" and not any(merged.errors.values())))
