"""Measures with a fake machine, each of whose runs is half or twice as fast as the one before, so that it shows which runs a ratio is of. pairs.py SOURCE FOLDER"""
import json
import os
import sys
import types

sys.path[:0] = [os.path.join(sys.argv[1], "bench"), os.path.join(sys.argv[1], "lab", "figures")]
import bench  # noqa: E402
import build  # noqa: E402
import data  # noqa: E402
import feedback  # noqa: E402
import heap  # noqa: E402
import pairs  # noqa: E402
import pcc  # noqa: E402
import results  # noqa: E402
import runs  # noqa: E402
from variants import VARIANTS  # noqa: E402

SPEEDS = [2.0**power for power in (*range(-5, 1), *range(-1, -5, -1))]  # no two neighbours are the same, nor differ by more than 2
COSTS = {"plain": 1, "hcct": 4, "ids": 2, "time": 1, "lto": 1, "hcct-lto": 4, "gcc": 2, "gprof": 8, "after-cct": 4, "uftrace": 1, "heap": 8}
NAMES = {id(variant): name for name, variant in VARIANTS.items()}


def same(found, expected, what=""):
    if found != expected:
        sys.exit(f"{what} {found!r} instead of {expected!r}")


class Machine:
    """What runs.run does here. `failing`: those that end with a signal. `log`: all that ran."""

    def __init__(self):
        self.log, self.failing, self.count = [], set(), 0
        runs.run = self.run

    def run(self, variant, path, workload, threads):
        name, self.count = NAMES[id(variant)], self.count + 1
        if self.count > 3000:
            sys.exit("it does not end")
        self.log.append(f"{name} {workload.size}")
        if name in self.failing:
            raise runs.RunError("ended with signal 11")
        user = COSTS[name] * SPEEDS[self.count % len(SPEEDS)] * (0.5 if workload.size == "empty" else 1)
        return runs.Run(user, 0.5, user, 1.0, 0, workload.size)


def workload(size):
    return types.SimpleNamespace(size=size, arguments=[size], stdin=None)


def measure(store, names, rounds, **stamps):
    """As a run of scripts/bench --short does, without what builds."""
    program = types.SimpleNamespace(name="x", title="X", real=True, exploding=False, threads=1, workloads={size: workload(size) for size in ("short", "tiny", "empty")})
    options = types.SimpleNamespace(short=True, rounds=rounds, variants=None, chosen=names, command="scripts/bench x")
    known = store.program(program)
    binaries = {name: build.Binary(name, stamps.get(name, "built"), 1.0) for name in bench.with_bases(names)}
    bench.measure_times(program, binaries, known, options, store)
    return [one["runs"] for one in known["rounds"]]


def ratios(rounds, name, base, level="short"):
    return sorted(pairs.ratios(pairs.pairs_of(rounds, f"{name} {level}", f"{base} {level}"), results.user))


def both_ways(ours, theirs, rounds):
    """Half of the rounds have a variant before its base, where it is by a factor of 2 too fast or too slow; the others have it after it."""
    ratio = COSTS[ours] / COSTS[theirs]
    return lambda found: len(found) == rounds and set(found) <= {ratio / 2, ratio * 2}


# --- the order ---------------------------------------------------------------------------------

for count in range(1, 8):
    variants = [f"v{number}" for number in range(count)]
    for number in range(0, 8, 2):
        names = pairs.order("b", variants, number)
        same((sorted(name for name in names if name != "b"), names.count("b")), (variants, (count + 1) // 2), "in a round:")
        same(all("b" in names[max(0, at - 1):at + 2] for at, name in enumerate(names)), True, names)
        same(pairs.order("b", variants, number + 1), names[::-1], "the next round:")
        same(sorted(pairs.order("", variants, number)), variants, "without a base:")
same(len({tuple(pairs.order("b", "vwxyz", number)) for number in range(0, 20, 2)}) > 5, True, "other orders:")
same(pairs.order("b", ["v"], 0), ["v", "b"])
same(pairs.order("b", ["v"], 1), ["b", "v"])

# The base on the left of x is not beside it, as w ran between them.
by_hand = [{"b": [["v", 3.0], ["b", 2.0], ["w", None], ["x", 5.0], ["b", 4.0], ["y", 6.0]], "c": [["v", 9.0], ["c", 1.0], ["b", 1.0]]}, {"b": [["b", 4.0], ["v", 2.0]]}]
same([pairs.pairs_of(by_hand, name, "b") for name in "vwxy"], [[(3.0, 2.0), (2.0, 4.0)], [], [(5.0, 4.0)], [(6.0, 4.0)]])
same((pairs.pairs_of(by_hand, "v", "c"), pairs.runs_of(by_hand, "v"), pairs.runs_of(by_hand, "w")), ([(9.0, 1.0)], [3.0, 9.0, 2.0], []))
same(pairs.ratios([(3.0, 2.0), (2.0, 0.0), (2.0, 4.0)], float), [1.5, 0.5])
same(pairs.spread([1.5, 0.5, 4.0]), (1.5, 0.5, 4.0))

# --- scripts/bench -----------------------------------------------------------------------------

machine, path = Machine(), os.path.join(sys.argv[2], "rounds.json")
store = data.Data(path)
rounds = measure(store, ["hcct", "ids", "time", "hcct-lto", "gprof", "uftrace"], 4)
compared = [("hcct", "plain"), ("ids", "plain"), ("time", "plain"), ("lto", "plain"), ("gcc", "plain"), ("gprof", "plain"), ("hcct-lto", "lto"), ("gprof", "gcc")]
for ours, theirs in compared:
    found = ratios(rounds, ours, theirs)
    same(both_ways(ours, theirs, 4)(found), True, f"{ours}, {theirs}: {found}")
same([len(ratios(rounds, "uftrace", base, "tiny")) for base in ("gcc", "plain")], [1, 1], "slow ones:")
same(len(rounds), 4, "rounds:")
ran = {base: [name.split()[0] for name, _ in names] for base, names in rounds[-1].items()}
same((sorted(ran), len(ran["plain short"]), len(ran["lto short"]), len(ran["gcc short"])), (["", "gcc short", "lto short", "plain short"], 9, 2, 2))
empty = sorted(f"{name} empty" for name in ("plain", "hcct", "ids", "time", "lto", "hcct-lto", "gcc", "gprof"))
same([sorted(name for name, _ in one[""]) for one in (rounds[0], rounds[-1])], [sorted([*empty, "uftrace empty"]), empty])
first = len(machine.log) - sum(len(names) for one in rounds for names in one.values())
same(sorted(machine.log[:first]), ["plain empty", "plain short", "plain tiny"], "what is to be printed:")
same([name for one in rounds for names in one.values() for name, _ in names], machine.log[first:], "what is kept, in order:")

line = results.line_of(store.programs["x"]["rounds"], "gprof")
for base in ("plain", "gcc"):
    found = ratios(rounds, "gprof", base)
    same((line["ratios"][base]["rounds"], line["ratios"][base]["user"]), (4, [(found[1] + found[2]) / 2, found[0], found[3]]))
same(list(results.line_of(store.programs["x"]["rounds"], "hcct-lto")["ratios"]), ["lto"])

# Measured again: nothing; of a variant that is another, only itself and its base.
machine.log.clear()
kept = json.load(open(path, encoding="utf-8"))
store = data.Data(path)
same((measure(store, ["hcct", "ids", "time", "hcct-lto", "gprof", "uftrace"], 4), machine.log), (rounds, []))
again = measure(store, ["hcct", "ids", "time", "hcct-lto", "gprof", "uftrace"], 4, ids="changed")
same(set(machine.log), {"plain short", "plain empty", "ids short", "ids empty"})
for ours, theirs in compared:
    same((len(ratios(again, ours, theirs)), ours == "ids" or ratios(again, ours, theirs) == ratios(rounds, ours, theirs)), (4, True), f"{ours}, {theirs}:")
same(both_ways("ids", "plain", 4)(ratios(again, "ids", "plain")), True)

# A variant that fails runs once. One whose base fails has no ratio, and the measurement ends.
machine.failing = {"time", "lto"}
store = data.Data(os.path.join(sys.argv[2], "fails.json"))
failed = measure(store, ["hcct", "time", "hcct-lto"], 2)
same((sorted(store.programs["x"]["errors"]), machine.log.count("time short"), ratios(failed, "time", "plain"), ratios(failed, "hcct-lto", "lto")), (["lto", "time"], 1, [], []))
same(both_ways("hcct", "plain", 2)(ratios(failed, "hcct", "plain")), True)
same(len(pairs.runs_of(failed, "hcct-lto short")) >= 2, True)
machine.failing = set()

# Rounds of the order before this one are dropped, and what is not about times stays.
del kept["version"]
kept["programs"]["x"].update(instructions={"hcct": {"count": 7}}, rounds=[{"date": "2026-01-01", "commit": "abc", "command": "scripts/bench x", "cells": {}}])
json.dump(kept, open(path, "w", encoding="utf-8"))
old = data.Data(path).programs["x"]
same([old[part] for part in ("rounds", "stamps", "errors", "instructions")], [[], {}, {}, {"hcct": {"count": 7}}])

# --- scripts/bench-heap ------------------------------------------------------------------------

build.build = lambda program, name: build.Binary(name, "", 1.0)
program = types.SimpleNamespace(title="X", threads=1, workloads={"short": workload("short")})
found = heap.measure(program, 2, ["plain", "ids", "heap"])
for ours, theirs in (("ids", "plain"), ("heap", "plain"), ("heap", "ids")):
    user, total = (pairs.ratios(pairs.pairs_of(found, ours, theirs), measure) for measure in (lambda run: run.user, lambda run: run.user + 0.5))
    same(both_ways(ours, theirs, 2)(user), True, f"{ours}, {theirs}: {user}")
    same(heap.ratio(found, ours, theirs), sum(total) / 2)
plain = [run.user + 0.5 for run in pairs.runs_of(found, "plain")]
same(heap.row(program, found, ["plain", "ids", "heap"]), f"| X | {sum(plain) / 2:.2f} s, 1 MB | {heap.ratio(found, 'ids', 'plain'):.2f}, 1 MB | "
     f"{heap.ratio(found, 'heap', 'plain'):.2f}, 1 MB | {heap.ratio(found, 'heap', 'ids'):.2f} |")
same(heap.row(program, heap.measure(program, 1, ["plain"]), ["plain", "ids"]).count("| - |"), 1)

# --- scripts/bench-feedback and lab/figures/pcc.py -----------------------------------------------


class Times:
    """Of runs whose names are given: 1, 2, 4 and so on."""

    def __init__(self):
        self.log = []

    def __call__(self, name):
        self.log.append(name)
        return 2.0**len(self.log)


def both(ratios, count):
    return (len(ratios), set(ratios)) == (count, {0.5, 2.0})


times = Times()
runs.run = lambda variant, path, given, threads=1: runs.Run(times(path), 0.0, 0.0, 1.0, 0, "said")
program = types.SimpleNamespace(name="x", workloads={"short": None})
rounds = feedback.measure_program(program, {name: name for name in feedback.TITLES}, 4)
same((len(rounds), len(times.log), len(pairs.runs_of(rounds, "plain"))), (4, 25, 8), "the round before does not count:")
for name in ("contexts", "bounded", "pgo"):
    found = pairs.ratios(pairs.pairs_of(rounds, name, "plain"), float)
    same((both(found, 4), feedback.ratio(rounds, name)), (True, (1.25, 0.5, 2.0)))

times = Times()
pcc.seconds = lambda binary, workload, options: times(binary)
found = pcc.ratios({kind: kind for kind in pcc.KINDS}, None)
same((list(found), [both(one, pcc.ROUNDS) for one in found.values()], times.log.count("plain")), (["values", "pcc", "ids", "exact"], [True] * 4, 2 * pcc.ROUNDS))
