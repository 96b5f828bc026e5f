#!/usr/bin/env python3
"""Holds a profile (hcct-decode --format=json --all) against the shadow oracle's file, site by site.

usage: compare.py PROFILE.json SHADOW.txt            exact: every context, every count
       compare.py --bounds PROFILE.json SHADOW.txt   mode=hcct: count - error <= w <= count, error <= epsilon*N,
                                                     and no context with w >= phi*N missing
"""
import json
import sys


def profile_contexts(profile):
    """path -> (count, error); a path is a tuple: function, site, function, site, ..., function."""
    frames, nodes = profile["frames"], profile["nodes"]
    paths = [None] * len(nodes)  # (path up to the last function, site seen since)
    contexts = {}
    for index, node in enumerate(nodes):
        path, site = paths[node["parent"]] if node["parent"] >= 0 else ((), None)
        if node["site"] is not None:
            site = site or int(node["site"]["id"], 16)
        frame = frames[node["frame"]]
        if frame["kind"] == "function":
            step = f'{frame["linkage"]}|{frame["file"] or ""}'
            path = path + (site or 0, step) if path else (step,)
            site = None
            if node["count"] is not None:
                count, error = contexts.get(path, (0, 0))
                contexts[path] = (count + node["count"], error + node["error"])
        elif frame["kind"] not in ("inlined", "external"):
            path = path + (0, frame["function"]) if path else (frame["function"],)
        paths[index] = (path, site)
    return contexts


def shadow_contexts(file):
    contexts = {}
    for line in file:
        *words, count = line.rsplit(" ", 1)
        path = []
        for word in words[0].split(" "):
            path.append(int(word[1:], 16) if word.startswith("@") else word)
        contexts[tuple(path)] = contexts.get(tuple(path), 0) + int(count)
    return contexts


def show(path):
    return " ".join(f"@{x:x}" if isinstance(x, int) else x.split("|")[0] for x in path)


def main():
    bounds = sys.argv[1] == "--bounds"
    with open(sys.argv[-2]) as file:
        profile = json.load(file)
    with open(sys.argv[-1]) as file:
        truth = shadow_contexts(file)
    kept = profile_contexts(profile)
    calls = sum(truth.values())
    wrong = []
    if profile["calls"] != calls:
        wrong.append(f'{profile["calls"]} calls, the oracle has {calls}')
    for path, true in truth.items():
        count, error = kept.get(path, (0, 0))
        if not bounds and (count != true or error):
            wrong.append(f"{count} instead of {true}: {show(path)}")
        if bounds and path in kept and not (count - error <= true <= count and error <= profile["epsilon"] * calls):
            wrong.append(f"{count} (error {error}) for {true}: {show(path)}")
        if bounds and path not in kept and true >= profile["phi"] * calls:
            wrong.append(f"missing, {true}: {show(path)}")
    for path in kept.keys() - truth.keys():
        wrong.append(f"{kept[path][0]} instead of 0: {show(path)}")
    for line in wrong[:20]:
        print(line)
    print(f"{len(truth)} contexts, {calls} calls, {len(kept)} in the profile, {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


main()
