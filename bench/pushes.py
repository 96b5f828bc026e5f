"""Counts how the calls of profiles were made: numbered, or by a push, and why.

usage: pushes.py IDS.BIN...        profiles of mode=cct

A push because of a back edge or a cut edge is one that another numbering could have saved (--hcct-guide);
recursion of a function with itself, calls through pointers and from code that is not instrumented always push.
Of those through pointers: how many led to what their site calls most, or second most.
Reads the file as docs/format.md has it.
"""
import bisect
import collections
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "test/hostile/Inputs"))
import packed

KINDS = ("numbered", "back or cut edge", "recursion", "pointer", "not instrumented", "no caller")
LOCAL, SYMBOL, EXTERNAL, INDIRECT = range(4)
MASK, PUSHES, NONE = 3, 4, 0xffffffff
RUN, FUNCTIONS, SITES, PREFIXES = 1, 3, 4, 6


def mix(word, site):
    return int.from_bytes((word * site % 2**64).to_bytes(8, "little"), "big")


def calls_of(name):
    """(kind, the site that pushed, the number of the function that was entered, calls) of each context."""
    sections = packed.read(name)
    parts = {kind: (content, element) for kind, element, _, content in packed.unpacked(sections)}
    elements = lambda kind, layout: [struct.unpack_from(layout, parts[kind][0], at) for at in range(0, len(parts[kind][0]), parts[kind][1])]
    functions = elements(FUNCTIONS, "<QQ")
    bases = [base for base, _ in functions]
    callers, pushing = [set() for _ in functions], {}  # per function: the ids of it that calls without a push lead to
    for site_id, delta, caller, callee, _, _, _, _, _, flags in elements(SITES, "<Qq8I"):
        if delta > 0:
            first = bases[caller] + delta
            callers[callee].add((first, first + functions[caller][1]))
        elif flags & MASK == LOCAL and flags & PUSHES and callee == caller:
            pushing[site_id] = "recursion"
        elif flags & MASK in (LOCAL, SYMBOL) and callee != NONE:
            pushing[site_id] = "back or cut edge"
        else:
            pushing[site_id] = "pointer" if flags & MASK == INDIRECT else "not instrumented"
    callers = [sorted(ranges) for ranges in callers]
    hashes, sites = [], []
    for word, site, _, kind in elements(PREFIXES, "<QQII"):
        hashes.append(0 if kind == 0 else mix(word, site) if kind == 1 else word)
        sites.append(site if kind == 1 else None)
    for (word, prefix), (_, calls, _) in packed.cells(name)[0].items():
        if prefix == NONE:
            continue
        context = (word - hashes[prefix]) % 2**64
        function = bisect.bisect(bases, context) - 1
        at = bisect.bisect(callers[function], (context, 2**64)) - 1
        is_numbered = at >= 0 and context < callers[function][at][1]
        yield "numbered" if is_numbered else pushing.get(sites[prefix], "no caller"), sites[prefix], function, calls


def count_pushes(name):
    result = dict.fromkeys(KINDS, 0)
    for kind, _, _, calls in calls_of(name):
        result[kind] += calls
    return result


def count_targets(name):
    """Of the calls through pointers: all, those to the first callee of their site, and to the second."""
    sites = collections.defaultdict(collections.Counter)
    for kind, site, function, calls in calls_of(name):
        if kind == "pointer":
            sites[site][function] += calls
    ranked = [[calls for _, calls in callees.most_common(2)] + [0] for callees in sites.values()]
    return sum(sum(callees.values()) for callees in sites.values()), sum(one[0] for one in ranked), sum(one[1] for one in ranked)


def main():
    for name in sys.argv[1:]:
        result = count_pushes(name)
        print(name)
        for kind in KINDS:
            print(f"  {result[kind]:12} {100 * result[kind] / max(1, sum(result.values())):6.2f}%  {kind}")
        pointers, first, second = count_targets(name)
        print(f"  pointers: {first / max(1, pointers):.1%} to the first callee of a site, {second / max(1, pointers):.1%} to the second")


if __name__ == "__main__":
    main()
