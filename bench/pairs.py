"""The order of the runs of a round, and the ratios that are taken from it: each run of a variant is right before or after one of its base.

A machine that others share has slow phases of seconds. Two runs that follow each other are mostly in the same phase; two runs of a long round are not.
One run of a base serves two variants: v1 base v2 v3 base v4. With a base between all of them, and ratios to the mean of the two beside a variant, ratios
differ less from each other. But there are fewer of them in the same time, and their median is no better.

    a plan:  {base: [variants]}         a variant with two bases runs beside each; those of the base "" have none
    a round: {base: [[variant or base, its run], ...]} in the order in which they ran; the run is None if it failed, or counts no longer

Callers decide what a run is. Measures are functions of it.
"""
import random
import statistics


def order(base, variants, number):
    """What round `number` runs for a base, one after the other. Rounds 2n and 2n + 1 are each other's reverse, so that a variant comes before its base in
    one of them and after it in the other. Other rounds have other orders."""
    names = random.Random(number // 2).sample(sorted(variants), len(variants))
    if base:
        names = [name for i in range(0, len(names), 2) for name in (names[i], base, *names[i + 1:i + 2])]
    return names[::-1] if number % 2 else names


def run_round(plan, number, run):
    """A round: calls `run` with each name in turn."""
    bases = random.Random(number).sample(sorted(plan), len(plan))
    return {base: [[name, run(name)] for name in order(base, plan[base], number)] for base in bases}


def runs_of(rounds, name):
    """All that are left of a variant, or of a base."""
    return [run for one in rounds for names in one.values() for other, run in names if other == name and run is not None]


def pairs_of(rounds, name, base):
    """[(a run of the variant, a run of its base right before or after it)]"""
    found = []
    for one in rounds:
        runs = one.get(base, [])
        for (first, run), (second, other) in zip(runs, runs[1:]):
            if None not in (run, other) and (first, second) in ((name, base), (base, name)):
                found.append((run, other) if first == name else (other, run))
    return found


def ratios(pairs, measure):
    return [measure(run) / measure(base) for run, base in pairs if measure(base) > 0]


def spread(values):
    """(median, least, greatest)"""
    return statistics.median(values), min(values), max(values)
