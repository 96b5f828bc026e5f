"""Sums over contexts of several files, against a rule of its own. Writes the files: main calls alpha and beta, which call leaf at many sites.

A context is in a file with count and error, or has the file's floor as both. Of all files together it occurred at least count - error times.
A sum is one of these lower bounds. Where a file lacks contexts, the true sum may be larger by all that is left of the calls.
"""
import csv
import io
import json
import os
import random
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "hostile", "Inputs"))
from profile import PUSHES, Profile, mix  # noqa: E402

decode, merge = sys.argv[1:3]
SITES = 30
CONTEXTS = [("main",), ("main", "alpha"), ("main", "beta")] + [("main", caller, "leaf", i) for caller in ("alpha", "beta") for i in range(SITES)]


def write(path, counts, floor, calls, capacity):
    """counts: by context, (count, error)."""
    profile = Profile(calls=calls, mode=0 if floor else 1, algorithm=None if floor else 0, floor=floor, phi=0.01)
    for name in ("main", "alpha", "beta", "leaf"):
        profile.function(name)
    sites = {"alpha": [], "beta": []}
    profile.site(0, 1, 1)
    profile.site(0, 2, 2)
    for number, name in ((1, "alpha"), (2, "beta")):
        sites[name] = [profile.site(number, 3, PUSHES) for _ in range(SITES)]
    for context in CONTEXTS:
        if context not in counts:
            continue
        word, prefix = 2 + len(context), 0
        if context[-1] == "beta":
            word = 5
        if len(context) == 4:
            prefix, hashed = profile.push(4 if context[1] == "alpha" else 5, sites[context[1]][context[3]], 0)
            word = (hashed + 6) % (1 << 64)
        count, error = counts[context]
        profile.count(word, count, prefix, error)
    profile.run = profile.run[:32] + capacity.to_bytes(8, "little") + profile.run[40:]
    profile.write(path)


def make(path, seed, exact=False, kept=None):
    """A run, and what its file says. A bounded file has the larger half, or the `kept` largest counts; what it lacks has at most the floor."""
    chance = random.Random(seed)
    true = {context: chance.choice((1, 5, 40, 900)) for context in CONTEXTS if chance.random() < .7}
    calls = sum(true.values())
    floor = 0 if exact else 30 + seed % 7
    counts = {c: (w, 0) for c, w in true.items()} if exact else {}
    order = sorted(true, key=lambda c: (-true[c], chance.random()))
    if kept:
        floor = true[order[kept]]
    for context in order[:kept]:
        if not exact and (kept or true[context] > floor):
            error = chance.choice((0, floor))
            counts[context] = (true[context] + error, error)
    write(path, counts, floor, calls, kept or 4096)
    return counts, floor, calls, true


def run(*arguments):
    return subprocess.run([decode, *arguments], check=True, capture_output=True, text=True).stdout


def check(paths, files):
    calls = sum(calls for _, _, calls, _ in files)
    known = {c for counts, *_ in files for c in counts}
    bounds = {c: [sum(counts.get(c, (floor, floor))[k] for counts, floor, *_ in files) for k in (0, 1)] for c in known}
    low = {c: count - error for c, (count, error) in bounds.items()}
    true = {c: sum(weights.get(c, 0) for *_, weights in files) for c in CONTEXTS}
    left = calls - sum(low.values())
    assert left >= 0 and all(low[c] <= true[c] <= bounds[c][0] for c in known)
    rows = {row["function"]: row for row in json.loads(run("--view=flat", "--all", "--format=json", *paths))["rows"]}
    for name in ("main", "alpha", "beta", "leaf"):
        own, through = [c for c in known if [part for part in c if part in ("main", "alpha", "beta", "leaf")][-1] == name], [c for c in known if name in c]
        more = left if any(floor for _, floor, *_ in files) else 0
        wanted = [sum(low[c] for c in own), more, sum(low[c] for c in through), more]
        if own or through:
            assert [rows[name][key] for key in ("count", "error", "total", "total_error")] == wanted, (paths, name, rows[name], wanted)
            weight = sum(true[c] for c in CONTEXTS if name in c), sum(true[c] for c in CONTEXTS if name == ([part for part in c if type(part) is str][-1]))
            assert wanted[2] <= weight[0] <= wanted[2] + wanted[3] and wanted[0] <= weight[1] <= wanted[0] + wanted[1], (name, weight, wanted)
    assert sum(row["count"] for row in rows.values()) == calls
    for by in ("site", "function"):
        for options in (["--all"], ["--phi=0.01"]):
            options += ["--by=" + by]
            folded = run("--format=folded", *options, *paths)
            assert sum(int(line.rsplit(" ", 1)[1]) for line in folded.splitlines()) == calls, (options, folded)
            table = run("--format=csv", *options, *paths)
            lines = table.splitlines()
            start = next(i for i, line in enumerate(lines) if line.startswith("node,"))
            nodes = {row["node"]: row for row in csv.DictReader(io.StringIO("\n".join(lines[start:])))}
            for row in nodes.values():
                if row["parent"]:
                    assert int(row["inclusive"]) <= int(nodes[row["parent"]]["inclusive"]), row
            assert sum(int(row["inclusive"]) for row in nodes.values() if not row["parent"]) == calls
            lines = run(*options, *paths).splitlines()
            title = next(i for i, line in enumerate(lines) if line.startswith("    total  "))
            end = lines[title].index("share") + len("share")
            shares = [float(line[end - 7:end].strip(" <%") or 0) for line in lines[title + 1:] if line[:2] in ("* ", "  ")]
            assert sum(shares) < 100 + .01 * len(shares)
    same(paths)


def same(paths):
    """Merged or not, the files have the same contexts, counts and errors."""
    subprocess.run([merge, "-o", "sum.bin", *paths], check=True, capture_output=True)
    for options in (["--all"], ["--all", "--view=flat"], ["--view=callers", "leaf"]):
        assert run("--format=csv", *options, *paths).splitlines()[2:] == run("--format=csv", *options, "sum.bin").splitlines()[2:], (paths, options)


def case(*exact):
    paths = [f"{i}.bin" for i in range(len(exact))]
    check(paths, [make(path, i, is_exact) for i, (path, is_exact) in enumerate(zip(paths, exact))])


case(False, False)
case(True, False)
case(False, True, True)
case(*[i % 10 == 0 for i in range(100)])

# The sum has no room for all contexts, neither on the way nor at the end.
cut = [make(f"{i}.bin", i, i == 3, None if i == 3 else 10) for i in range(9)]
for some in (range(9), range(4), range(3)):
    same([f"{i}.bin" for i in some])
shown = json.loads(run("--all", "--format=json", *(f"{i}.bin" for i in range(3))))
assert sum(node["count"] is not None and node["site"] is not None for node in shown["nodes"]) <= 10, shown["nodes"]
