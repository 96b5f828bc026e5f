#!/usr/bin/env python3
"""Holds a profile (hcct-decode --format=json --all) against the shadow oracle's file, site by site.

usage: compare.py PROFILE.json SHADOW.txt            exact: every context, every count
       compare.py --bounds PROFILE.json SHADOW.txt   mode=hcct: count - error <= w <= count, error <= epsilon*N,
                                                     and no context with w >= phi*N missing
Where runs of tail calls were folded a context here is several of the profile, some of which it may lack: with --bounds
only count - error <= w is asked of those.
"""
import json
import sys


class Contexts:
    """Gives each context (its parent, the site in it, the function) one number, the same for both sides. In a run of
    tail calls a function is its first occurrence there."""

    def __init__(self, tails):
        self.numbers, self.steps, self.tails, self.folded = {}, [], tails, set()

    def number(self, parent, site, step):
        at = parent if site in self.tails else None
        while at is not None:
            before, its_site, its_step = self.steps[at]
            if its_step == step:
                self.folded.add(at)
                return at
            at = before if its_site in self.tails else None
        key = (parent, 0 if parent is None else site, step)
        number = self.numbers.setdefault(key, len(self.steps))
        if number == len(self.steps):
            self.steps.append(key)
        return number

    def is_folded(self, number):
        """Itself, or one of its callers"""
        while number is not None and number not in self.folded:
            number = self.steps[number][0]
        return number is not None

    def show(self, number):
        text = []
        while number is not None and len(text) < 40:
            number, site, step = self.steps[number]
            text.append(step.split("|")[0] if number is None else f'@{site:x} {step.split("|")[0]}')
        return ("... " if number is not None else "") + " ".join(reversed(text))


def read_profile(profile, contexts):
    """context -> (count, error)"""
    frames, kept, places = profile["frames"], {}, []  # place: the last function's context, the site seen since
    for node in profile["nodes"]:
        context, site = places[node["parent"]] if node["parent"] >= 0 else (None, 0)
        if node["site"] is not None:
            site = site or int(node["site"]["id"], 16)
        frame = frames[node["frame"]]
        if frame["kind"] == "function":
            context, site = contexts.number(context, site, f'{frame["linkage"]}|{frame["file"] or ""}'), 0
            if node["count"] is not None:
                count, error = kept.get(context, (0, 0))
                kept[context] = (count + node["count"], error + node["error"])
        elif frame["kind"] not in ("inlined", "external"):
            context = contexts.number(context, 0, frame["function"])
        places.append((context, site))
    return kept


def read_shadow(lines, contexts):
    """context -> count"""
    truth, numbers = {}, []
    for line in lines:
        if line.startswith("folded "):
            contexts.folded.add(numbers[int(line[7:])])
            continue
        parent, site, count, step = line.rstrip("\n").split(" ", 3)
        context = contexts.number(numbers[int(parent)] if parent != "-1" else None, int(site, 16), step)
        numbers.append(context)
        truth[context] = truth.get(context, 0) + int(count)
    return truth


def main():
    bounds = sys.argv[1] == "--bounds"
    with open(sys.argv[-2]) as file:
        profile = json.load(file)
    with open(sys.argv[-1]) as file:
        lines = file.readlines()
    contexts = Contexts({int(line[5:], 16) for line in lines if line.startswith("tail ")})
    kept = read_profile(profile, contexts)
    truth = read_shadow([line for line in lines if not line.startswith("tail ")], contexts)
    show = contexts.show
    calls = sum(truth.values())
    wrong = []
    if profile["calls"] != calls:
        wrong.append(f'{profile["calls"]} calls, the oracle has {calls}')
    for path, true in truth.items():
        count, error = kept.get(path, (0, 0))
        if not bounds and (count != true or error):
            wrong.append(f"{count} instead of {true}: {show(path)}")
        if bounds and contexts.is_folded(path):
            if count - error > true:
                wrong.append(f"{count} (error {error}) for {true}, folded: {show(path)}")
            continue
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
