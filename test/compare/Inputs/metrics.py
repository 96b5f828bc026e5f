"""Computes the metrics of D'Elia et al. (SPE 2015, section 5.2) from what hcct-decode --format=json --all prints of two
profiles, and compares them with what hcct-lab metrics --format=json printed. Integers are equal; quotients, computed here with
fractions, agree to 12 digits. The arc of a root comes from a virtual root, and counts nowhere.

usage: metrics.py [--low] EXACT.json HOT.json COMPARISON.json [KEY=VALUE...]     VALUE: what a key must have besides
--low: HOT's counts are less their errors, and it is asked for phi - epsilon.
"""
import json
import sys
from fractions import Fraction
from contexts import Contexts

KEYS = ["calls_exact", "calls_hot", "phi", "tau", "degree_of_overlap", "hot_edge_coverage", "max_uncovered_hotness",
        "avg_uncovered_hotness", "hot", "false_positives", "false_negatives", "cold", "max_counter_error",
        "avg_counter_error", "max_tree_counter_error", "avg_tree_counter_error"]


def has_arc(profile, context):
    parent, kind = profile.parents[context]
    return parent != -1 and kind == "function"


def counts_of_arcs(profile):
    return {x: count for x, count in profile.counts.items() if count and has_arc(profile, x)}


def hot_contexts(profile, phi):
    return {x for x, count in counts_of_arcs(profile).items() if count >= phi * profile.calls}


def tree_of(profile, contexts):
    """The contexts and their ancestors that have arcs."""
    tree = set()
    for context in contexts:
        while context != -1 and context not in tree:
            tree.add(context)
            context = profile.parents[context][0]
    return {x for x in tree if has_arc(profile, x)}


def metrics(exact, hot, phi, taus):
    w = counts_of_arcs(exact)
    calls = exact.calls - sum(count for x, count in exact.counts.items() if not has_arc(exact, x))
    top = max(w.values(), default=None)
    H, A = hot_contexts(exact, phi), hot_contexts(hot, phi - hot.head["epsilon"] if low else phi)
    T = tree_of(hot, A)
    uncovered = [w[x] for x in w.keys() - T]
    coverage = []
    for tau in taus:
        arcs = {x for x in w if w[x] >= tau * top}
        coverage.append(Fraction(len(arcs & T), len(arcs)) if arcs else None)
    scale = Fraction(exact.calls, hot.calls) if "estimate" in hot.head else Fraction(1)
    error = lambda x: abs(hot.counts[x] * scale - w[x]) / w[x] * 100
    errors = [error(x) for x in H & A]
    in_tree = [error(x) for x in T & w.keys() if hot.counts.get(x)]
    return {
        "calls_exact": exact.calls,
        "calls_hot": hot.calls,
        "phi": phi,
        "tau": taus,
        "degree_of_overlap": Fraction(sum(w.get(x, 0) for x in T), calls) if calls else None,
        "hot_edge_coverage": coverage,
        "max_uncovered_hotness": Fraction(max(uncovered, default=0) * 100, top) if top else None,
        "avg_uncovered_hotness": Fraction(sum(uncovered) * 100, top * max(len(uncovered), 1)) if top else None,
        "hot": len(H),
        "false_positives": len(A - H),
        "false_negatives": len(H - A),
        "cold": len(T - H - A),
        "max_counter_error": max(errors, default=None),
        "avg_counter_error": sum(errors) / len(errors) if errors else None,
        "max_tree_counter_error": max(in_tree, default=None),
        "avg_tree_counter_error": sum(in_tree) / len(in_tree) if in_tree else None,
    }


def same(found, wanted):
    if isinstance(wanted, list):
        return isinstance(found, list) and len(found) == len(wanted) and all(map(same, found, wanted))
    if wanted is None or found is None or isinstance(wanted, int):
        return found == wanted and type(found) is type(wanted)
    return abs(Fraction(found) - Fraction(wanted)) <= Fraction(1, 10**12) * abs(Fraction(wanted))


low = sys.argv[1] == "--low"
del sys.argv[1:1 + low]
contexts = Contexts()
exact, hot = map(contexts.read, sys.argv[1:3])
if low:
    hot.counts = {x: count - hot.errors[x] for x, count in hot.counts.items()}
with open(sys.argv[3]) as file:
    found = json.load(file)
wrong = [] if list(found) == KEYS else [f"the keys are {list(found)}"]
wanted = metrics(exact, hot, found["phi"], found["tau"])
wrong += [f"{key}: {found.get(key)} instead of {value}" for key, value in wanted.items() if not same(found.get(key), value)]
for pair in sys.argv[4:]:
    key, _, value = pair.partition("=")
    if not same(found[key], json.loads(value, parse_float=Fraction)):
        wrong.append(f"{key}: {found[key]} instead of {value}, as worked out by hand")
for line in wrong:
    print(line)
print(f"{len(exact.counts)} and {len(hot.counts)} contexts, {wanted['hot']} hot, {len(wrong)} wrong")
sys.exit(bool(wrong))
