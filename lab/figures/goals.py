"""What the laboratory's numbers have to be, and whether they are: for report.py."""

MIB = 1 << 20
LARGE_CCT_NODES = 50_000_000
LEAST_TAU = 0.01
ESTIMATING = ("lossy-counting", "sticky-sampling")


def tree_nodes(metrics):
    """The nodes of the mined tree: hot ones (found), false positives, and cold ancestors."""
    return metrics["hot"] - metrics["false_negatives"] + metrics["false_positives"] + metrics["cold"]


def false_positive_percent(metrics):
    nodes = tree_nodes(metrics)
    return 100 * metrics["false_positives"] / nodes if nodes else 0


def cct_nodes(program):
    """Of the exact tree; where there is none, that of a program whose every call is a context of its own."""
    return program["exact"]["nodes"] if program["exact"] else program["bounded"][0]["shape"]["calls"]


def cct_bytes(program, programs):
    """What the exact profile takes; where there is none, by the bytes for each node of a smaller run of the same program."""
    if program["exact"]:
        return program["exact"]["memory_bytes"]
    small = next(other for other in programs if other["name"] == program["stands_for"])["exact"]
    return cct_nodes(program) * small["memory_bytes"] / small["nodes"]


def tested_runs(program):
    """Those of Space Saving that had to evict: fewer counters than contexts."""
    if not program["exact"]:
        return []
    runs = [run for run in program["bounded"] if run["algorithm"] == "space-saving" and run["phi"] == 1e-4]
    return sorted((run for run in runs if program["exact"]["contexts"] > counters(run)), key=lambda run: run["part"])


def counters(run):
    return round(run["part"] / run["phi"])


def default_run(program):
    """Space Saving at phi = 1e-4, epsilon = phi / 5: the first one that is measured."""
    return program["bounded"][0]


def at_default_parameters(program):
    return [run for run in program["bounded"] if run["phi"] == 1e-4 and run["part"] == 5]


class Goal:
    """`cases`: (program, run, value as text, whether it is met). `reason(program, run)`: why an exception is one, if that is known."""

    def __init__(self, text, cases, reason=lambda program, run: ""):
        self.text, self.cases, self.reason = text, cases, reason

    def exceptions(self):
        """A line for each program, value and reason."""
        groups = {}
        for program, run, value, met in self.cases:
            if not met:
                groups.setdefault((program["name"], value, self.reason(program, run)), []).append(run["algorithm"])
        return [f"{name} ({', '.join(algorithms)}): {value}{reason}" for (name, value, reason), algorithms in groups.items()]

    def met_count(self):
        return sum(met for _, _, _, met in self.cases)


def cases_of(programs, value, show, is_met):
    """Of every algorithm of every program that has an exact profile to compare with."""
    return [(program, run, show(value(run)), is_met(value(run))) for program in programs if program["exact"] for run in at_default_parameters(program)]


def why_high(_, run):
    """Lossy counting and sticky sampling stop at 2/epsilon counters (docs/lab.md), and the profile says which epsilon holds."""
    holds, wanted = run["shape"]["epsilon"], run["phi"] / run["part"]
    if holds > 1.001 * wanted:
        return f" (more contexts than it has counters: by its profile no error is above {holds:.3g} of the calls, where {wanted:.3g} was asked for)"
    if run["algorithm"] in ESTIMATING:
        return " (each count is raised by what may have been missed before its counter was made, up to epsilon of all calls, needed or not)"
    return ""


def why_large(_, run):
    return f" (with the chains of {run['shape']['nodes']:,} nodes, and at the end with a table of their ids)"


def why_uncovered(program, run):
    """tau is a share of the hottest context's calls, phi one of all calls."""
    hottest, calls = program["exact"]["hottest"], program["exact"]["calls"]
    if LEAST_TAU * hottest >= run["phi"] * calls:
        return ""
    return (f" (its hottest context has {hottest:,} of {calls:,} calls: {LEAST_TAU:g} of it is less than phi, "
            "so that the exact HCCT does not cover it either)")


def memory_cases(programs):
    return [(program, run, f"{run['shape']['memory_bytes'] / 1e6:.2f} MB", run["shape"]["memory_bytes"] <= 8_000_000)
            for program in programs for run in at_default_parameters(program)]


def share_cases(programs):
    cases = []
    for program in programs:
        if cct_nodes(program) > LARGE_CCT_NODES:
            run = default_run(program)
            share = 100 * run["shape"]["memory_bytes"] / cct_bytes(program, programs)
            cases.append((program, run, f"{share:.3f}%", share < 1))
    return cases


def all_goals(programs, taus):
    def percent(value):
        return f"{value:.3g}%"

    def error(run):
        return run["metrics"]["avg_counter_error"] or 0

    def false_positives(run):
        return false_positive_percent(run["metrics"])

    def coverage(run):
        return 100 * min(share for tau, share in zip(taus, run["metrics"]["hot_edge_coverage"]) if tau >= LEAST_TAU)

    def missing(run):
        return run["metrics"]["false_negatives"]

    return [
        Goal("no false negative", cases_of(programs, missing, str, lambda value: value == 0)),
        Goal("average counter error among hot contexts below 1%, half of what the paper has in most of its programs",
             cases_of(programs, error, percent, lambda value: value < 1), why_high),
        Goal("false positives below 2% of the tree's nodes, less than half of what the paper has in most of its programs",
             cases_of(programs, false_positives, percent, lambda value: value < 2), why_high),
        Goal(f"hot edge coverage 100% for tau >= {LEAST_TAU:g}", cases_of(programs, coverage, percent, lambda value: value == 100), why_uncovered),
        Goal("the profiler's memory at most 8 MB", memory_cases(programs), why_large),
        Goal("and below 1% of the full CCT's where that has more than 50 million nodes (Space Saving)", share_cases(programs)),
    ]
