"""Counts how the calls of profiles were made: numbered, or by a push, and why.

usage: pushes.py IDS.BIN...        profiles of mode=cct

A push because of a back edge or a cut edge is one that another numbering could have saved (--hcct-guide);
recursion of a function with itself, calls through pointers and from code that is not instrumented always push.
Reads the file as docs/format.md has it.
"""
import bisect
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


def count_pushes(name):
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
    result = dict.fromkeys(KINDS, 0)
    for (word, prefix), (_, calls, _) in packed.cells(name)[0].items():
        if prefix == NONE:
            continue
        context = (word - hashes[prefix]) % 2**64
        ranges = callers[bisect.bisect(bases, context) - 1]
        at = bisect.bisect(ranges, (context, 2**64)) - 1
        kind = "numbered" if at >= 0 and context < ranges[at][1] else pushing.get(sites[prefix], "no caller")
        result[kind] += calls
    return result


def main():
    for name in sys.argv[1:]:
        result = count_pushes(name)
        print(name)
        for kind in KINDS:
            print(f"  {result[kind]:12} {100 * result[kind] / max(1, sum(result.values())):6.2f}%  {kind}")


if __name__ == "__main__":
    main()
