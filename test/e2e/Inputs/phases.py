"""Holds the phases of a profile against the books of the program, or only against each other.

usage: phases.py HCCT-DECODE BOOK|- PROFILE      a line of BOOK: phase, path of functions, calls, separated by tabs; lines of one path add up
"""
import json
import subprocess
import sys
from collections import Counter, defaultdict

decode, book, profile = sys.argv[1:]


def read(*options):
    """The head of a profile, and count and error by path."""
    head = json.loads(subprocess.run([decode, "--format=json", "--by=function", "--all", *options, profile], check=True, stdout=subprocess.PIPE).stdout)
    paths, counts, errors = [], Counter(), Counter()
    for node in head["nodes"]:
        name = head["frames"][node["frame"]]["function"]
        paths.append(name if node["parent"] < 0 else paths[node["parent"]] + ";" + name)
        if node["count"]:
            counts[paths[-1]] += node["count"]
            errors[paths[-1]] += node["error"]
    return head, counts, errors


wrong = []


def expect(what, right):
    if not right:
        wrong.append(what)


def check(name, head, counts, errors, truth, calls):
    expect(f"{name}: N is {head['calls']}, not {calls}", head["calls"] == calls)
    for path in set(counts) | set(truth):
        count, error, true = counts[path], errors[path], truth[path]
        if path not in counts:
            expect(f"{name}: {path} with {true} is missing", head["guarantee"] != "exact" and true < head["phi"] * calls)
        else:
            expect(f"{name}: {path}: {true} is not in [{count} - {error}, {count}]", count - error <= true <= count)
        expect(f"{name}: {path}: the error {error} is above epsilon * N", error <= head["epsilon"] * calls)


whole, counts, errors = read()
phases = {it["name"]: it["calls"] for it in whole["phases"]}
expect(f"the phases {phases} do not add up to {whole['calls']}", sum(phases.values()) == whole["calls"])
by_phase = {name: read("--phase=" + name) for name in phases}
if book == "-":
    expect("there are fewer phases than the program has", len(phases) >= 5)
    for path in set(counts) | {path for _, found, _ in by_phase.values() for path in found}:
        sums = [sum(found[path] for _, found, _ in by_phase.values()), sum(found[path] for _, _, found in by_phase.values())]
        if whole["guarantee"] == "exact":
            expect(f"{path}: {sums[0]} in the phases, {counts[path]} in all", sums[0] == counts[path])
        elif path in counts:
            expect(f"{path}: at least {sums[0] - sums[1]} in the phases, at most {counts[path]} in all", sums[0] - sums[1] <= counts[path])
else:
    truth = defaultdict(Counter)
    for line in open(book):
        name, path, calls = line.rstrip("\n").split("\t")
        truth[name][path] += int(calls)
    calls = {name: sum(of.values()) for name, of in truth.items()}
    expect(f"the phases are {phases}, not {calls}", phases == calls)
    for name, (head, *found) in by_phase.items():
        expect(f"{name} is called {head['phase']}", head["phase"] == name)
        check(name, head, *found, truth[name], calls.get(name, 0))
    check("all", whole, counts, errors, sum(truth.values(), Counter()), sum(calls.values()))
print(f"{len(phases)} phases, {whole['calls']} calls, {len(counts)} contexts, {len(wrong)} wrong")
print("\n".join(wrong[:20]))
sys.exit(bool(wrong))
