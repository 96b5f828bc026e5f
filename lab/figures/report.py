"""Writes accuracy.md and its figures from what lab.py measured. Whatever stands in the document and is a number of ours comes from the data."""
import os

import charts
import goals
import names
from goals import MIB, cct_bytes, cct_nodes, default_run

ALGORITHM_NAMES = names.of("ALGORITHM")
PAPER_PHIS = ["1e-3", "1e-5", "1e-7"]
# Sumner et al., the slides' table of context attributes: contexts, integers (most, 90%), functions of the full context (most, 90%).
PCCE_ROWS = {"164.gzip": (258, 1, 1, 9, 7), "175.vpr": (1553, 1, 1, 9, 6), "176.gcc": (169090, 20, 3, 136, 15), "181.mcf": (12920, 15, 1, 42, 2),
             "186.crafty": (27103471, 35, 11, 41, 23), "197.parser": (3023011, 37, 12, 73, 28), "255.vortex": (205004, 8, 3, 43, 12),
             "256.bzip2": (96, 2, 1, 8, 8), "300.twolf": (971, 5, 1, 11, 5), "cmp 2.8.7": (9, 1, 1, 3, 3), "diff 2.8.7": (34, 1, 1, 7, 5),
             "sdiff 2.8.7": (44, 1, 1, 5, 4), "find 4.4.0": (186, 3, 2, 12, 12), "locate 4.4.0": (65, 1, 1, 9, 9), "grep 2.5.4": (117, 1, 1, 11, 8),
             "tar 1.16": (1346, 4, 3, 40, 31), "make 3.80": (1789, 7, 4, 82, 43), "alpine 2.0": (7575, 12, 7, 29, 18), "vim 6.0": (3226, 11, 6, 31, 10)}


def count(value):
    return f"{value:,}"


def number(value, digits=3, unit=""):
    return "–" if value is None else f"{value:.{digits}g}{unit}"


def percent(share, digits=4):
    return "–" if share is None else f"{100 * share:.{digits}g}%"


def table(titles, rows):
    lines = ["| " + " | ".join(titles) + " |", "|---|" + "---:|" * (len(titles) - 1)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]) + "\n"


def exact_ones(programs):
    return [program for program in programs if program["exact"]]


def power(value):
    """A power of ten as people write it, and plain numbers near one."""
    return f"{value:g}" if 0.001 <= value <= 1000 else f"{value:.0e}".replace("e-0", "e-").replace("e+0", "e")


def percent_tick(value):
    return f"{power(value)}%"


# --- the programs ------------------------------------------------------------------------------


def programs_section(data):
    rows = []
    for program in data["programs"]:
        kind = "real" if program["real"] else "our own"
        note = "every call is a context of its own" if program["by_construction"] else ""
        rows.append((program["name"], f"{program['title']}", kind, note))
    return "## Programs\n\n" + table(["program", "what runs", "kind", "note"], rows).replace("|---|---:|---:|---:|", "|---|---|---|---|")


def sizes_section(programs):
    rows = []
    for program in programs:
        exact, calls = program["exact"], default_run(program)["shape"]["calls"]
        graph = [count(exact[name]) for name in ("functions", "edges", "sites")] if exact else ["–"] * 3
        rows.append([program["name"]] + graph + [count(cct_nodes(program)), count(calls)])
    return ("## Sizes (SPE, Table I)\n\n"
            "The columns are functions that were called, pairs of caller and callee, and call sites that called, all from the exact profile (inlined "
            "functions do not count); nodes of the calling context tree, by call site; and nodes of the call tree, which are the calls. The paper has no edges.\n\n"
            + table(["program", "call graph nodes", "edges", "call sites", "CCT nodes", "call tree nodes"], rows)
            + "\nThe paper: a few thousand nodes in the call graph, about ten times as many call sites, tens of millions in the CCT.\n")


def hcct_section(programs):
    rows = [[program["name"]] + [count(program["exact"]["hcct"][phi]["nodes"]) for phi in PAPER_PHIS] + [count(program["exact"]["nodes"])]
            for program in exact_ones(programs)]
    return ("## Nodes of the HCCT (SPE, Table II)\n\nHot contexts and their ancestors, of the exact tree. Hot is at least phi·N; the paper takes its integer part, so that there each context of "
            "fib and knapsack, called once, is hot at 1e-5 and below.\n\n"
            + table(["program"] + [f"phi = {phi}" for phi in PAPER_PHIS] + ["CCT"], rows)
            + "\nThe paper, on seven programs with CCTs of 2.2 to 48 million nodes: 80 to 136, 9,181 to 16,713, 233,362 to 1,339,752.\n")


def skew_section(programs, figure):
    lines = {program["name"]: [(100 * x, 100 * y) for x, y in program["exact"]["skew"]] for program in exact_ones(programs)}
    x_axis = charts.logarithmic_axis("hottest contexts, % of all", [x for points in lines.values() for x, _ in points], percent_tick, 100)
    picture = figure("skew", charts.line_chart("Skew: what the hottest contexts account for", x_axis, charts.Axis("calls, %", 0, 100), lines))
    rows = [[program["name"], percent(program["exact"]["hottest_tenth"])] for program in exact_ones(programs)]
    return ("## Skew (SPE, figure 1)\n\n" + picture + table(["program", "calls of the hottest 10% of the contexts"], rows)
            + "\nThe paper: about 90% in all of its programs; it names one with more than 86%.\n")


# --- space -------------------------------------------------------------------------------------


def by_phi(program, value):
    runs = [run for run in program["bounded"] if run["algorithm"] == "space-saving" and run["part"] == 5]
    return sorted((run["phi"], value(run)) for run in runs)


def space_section(programs, figure):
    exact = exact_ones(programs)
    nodes = {program["name"]: by_phi(program, lambda run, all=program["exact"]["nodes"]: 100 * run["shape"]["nodes"] / all) for program in exact}
    values = [y for points in nodes.values() for _, y in points]
    x_axis = charts.logarithmic_axis("phi (epsilon = phi/5)", [1e-5, 1e-3], power)
    picture = figure("space", charts.line_chart("Nodes of the profile, against the CCT", x_axis,
                                                charts.logarithmic_axis("nodes, % of the CCT's", values, percent_tick), nodes))
    rows = []
    for program in programs:
        shape, full = default_run(program)["shape"], cct_bytes(program, programs)
        about = "" if program["exact"] else "about "
        rows.append([program["name"], count(shape["nodes"]), percent(shape["nodes"] / cct_nodes(program), 3), f"{shape['memory_bytes'] / MIB:.1f}",
                     f"{about}{full / MIB:,.1f}", percent(shape["memory_bytes"] / full, 3)])
    titles = ["program", "nodes in the profile", "of the CCT's", "MiB", "CCT, MiB", "of the CCT's"]
    return ("## Space against the CCT (SPE, figures 4 and 5)\n\n" + picture
            + "Space Saving at phi = 1e-4, epsilon = phi/5: the contexts of the profile, with their ancestors, and all of the profiler's memory at the end. A profile "
              "leaves out counters that tell nothing, at the floor, and contexts too cold to need a chain; the paper's MCCT has these, too, and its figures show the largest "
              "size, not the last one: [lab.md](lab.md#the-papers-figures) has that. The memory includes a table that the end of the run needs, to leave out "
              "functions and calls that no context of the profile has: 32 to 64 bytes for each different id, in steps of powers of two. So layers, each of whose contexts has an id of its own, "
              "takes 2 MiB more than its counters and chains do, and its CCT 16 MiB more. hcct's memory hardly depends on the program, so it is a large share of a small CCT. A program of "
              "which nothing is kept is at the bottom of the figure. Where the CCT was not built, its size is estimated from a smaller run of the "
              "same program, node by node.\n\n"
            + table(titles, rows)
            + "\nThe paper: below 1% of the CCT for phi >= 1e-4 in most programs, 4.1% in the worst case.\n")


def limit_section(limit):
    if not limit:
        return ""
    if limit["dropped"] is None:
        told = f"It left no profile, and said: `{limit['said']}`. Calls that were not recorded are therefore not counted either."
    else:
        told = f"Its profile says that {count(limit['dropped'])} of {count(limit['calls'])} calls were dropped."
    return (f"### Where the CCT does not fit\n\n`fib 36 1`, {count(limit['calls'])} calls and as many contexts (three fifths of `fib 38`), was run with "
            f"`mode=cct` under `ulimit -v` of 4 GiB. {told} With `mode=hcct` the same program, and far larger ones, take what the table above says.\n")


# --- accuracy ----------------------------------------------------------------------------------


def accuracy_rows(programs):
    rows = []
    for program in exact_ones(programs):
        for run in goals.at_default_parameters(program):
            metrics = run["metrics"]
            rows.append([program["name"], run["algorithm"], percent(metrics["degree_of_overlap"]), number(metrics["max_uncovered_hotness"]),
                         number(metrics["avg_uncovered_hotness"]), count(metrics["hot"]), count(metrics["cold"]), count(metrics["false_positives"]),
                         count(metrics["false_negatives"]), number(metrics["max_counter_error"]), number(metrics["avg_counter_error"]),
                         number(metrics["max_tree_counter_error"]), number(metrics["avg_tree_counter_error"]),
                         f"{run['shape']['memory_bytes'] / MIB:.1f}"])
    return rows


def accuracy_section(programs):
    titles = ["program", "algorithm", "degree of overlap", "uncovered max, %", "avg, %", "hot", "cold", "false positives", "false negatives",
              "counter error max, %", "avg, %", "in the tree max, %", "avg, %", "MiB"]
    return ("## Every metric, every algorithm (SPE, figures 7 to 11)\n\nphi = 1e-4, epsilon = phi/5. The metrics are defined in "
            "[lab.md](lab.md), and so are the algorithms: `mode=hcct` of a run has Space Saving, and `hcct-lab replay` of a trace has the others. Uncovered: hotness of the contexts outside the tree, in % of "
            "the hottest context's. A dash means that there is nothing to measure. Counter error: among the contexts that are hot in both profiles (the "
            "paper's figure 11); in the tree: of all counters in the mined tree (its metric 5). As in the paper the calls of roots (`main` and the like) count "
            "nowhere. Two things differ: hot is at least phi·N, not its integer part; and these calls are not in the total of the overlap either, so that all is 100%.\n\n" + table(titles, accuracy_rows(programs)))


def overlap_section(programs, figure):
    lines = {program["name"]: [(x, 100 * y) for x, y in by_phi(program, lambda run: run["metrics"]["degree_of_overlap"])]
             for program in exact_ones(programs)}
    picture = figure("overlap", charts.line_chart("Degree of overlap with the CCT", charts.logarithmic_axis("phi (epsilon = phi/5)", [1e-5, 1e-3], power),
                                                  charts.Axis("degree of overlap, %", 0, 100), lines))
    return ("### Degree of overlap (figure 7(a))\n\n" + picture + "Space Saving: of the mined tree, against phi. The paper's figure has the largest phi for each degree, of the exact "
            "HCCT: [lab.md](lab.md#the-papers-figures) has that. The paper: at phi = 1e-4 as small as 10% in its two least skewed programs.\n")


def coverage_section(programs, taus):
    rows = []
    for program in exact_ones(programs):
        runs = goals.at_default_parameters(program)
        least = [min(run["metrics"]["hot_edge_coverage"][place] for run in runs) for place in range(len(taus))]
        rows.append([program["name"]] + [percent(share) for share in least])
    return (f"### Hot edge coverage (figure 7(b))\n\nThe least of the {len(ALGORITHM_NAMES)} algorithms, for thresholds tau. The paper's figure has the least tau with full coverage, of the exact HCCT: "
            "[lab.md](lab.md#the-papers-figures) has that.\n\n"
            + table(["program"] + [f"{tau:g}" for tau in taus], rows) + "\nThe paper: 100% for tau >= 0.01, always.\n")


def uncovered_section(programs, figure):
    groups = {program["name"]: [default_run(program)["metrics"][name] or None for name in ("max_uncovered_hotness", "avg_uncovered_hotness")]
              for program in exact_ones(programs)}
    axis = charts.logarithmic_axis("% of the hottest context", [value for values in groups.values() for value in values if value], percent_tick, 100, 2)
    picture = figure("uncovered", charts.bar_chart("Hotness of contexts outside the tree", axis, "program", groups, ["largest", "average"]))
    return ("### Uncovered contexts (figure 8)\n\n" + picture + "Space Saving. No bar: nothing uncovered. In a program without any hot context everything "
            "is uncovered and equally hot. The paper: on average about 0.01%, at most 10% typically.\n")


def partition_section(programs, figure):
    groups = {}
    for program in exact_ones(programs):
        metrics = default_run(program)["metrics"]
        nodes = goals.tree_nodes(metrics)
        if nodes:
            parts = (metrics["hot"] - metrics["false_negatives"], metrics["cold"], metrics["false_positives"])
            groups[program["name"]] = [100 * part / nodes for part in parts]
    picture = figure("partition", charts.bar_chart("Nodes of the mined tree", charts.Axis("nodes, %", 0, 100), "program", groups,
                                                   ["hot", "cold ancestors", "false positives"], stacked=True))
    return ("### Partition of the nodes (figure 9)\n\n" + picture + "Space Saving; a program without a hot context has no tree. The paper: false positives "
            "are below 10% of the nodes in the worst case, 0 to 5% in the large majority.\n")


def tested_section(programs):
    """Space Saving where it has to evict, at each epsilon."""
    rows = []
    for program in programs:
        for run in goals.tested_runs(program):
            metrics = run["metrics"]
            rows.append([program["name"], count(program["exact"]["contexts"]), f"phi/{run['part']}", count(goals.counters(run)), count(metrics["hot"]),
                         count(metrics["false_negatives"]), count(metrics["false_positives"]), number(goals.false_positive_percent(metrics), unit="%"),
                         number(metrics["avg_counter_error"]), number(metrics["max_counter_error"])])
    titles = ["program", "contexts", "epsilon", "counters", "hot", "false negatives", "false positives", "of the nodes", "counter error avg, %", "max, %"]
    return ("### Where Space Saving has something to do\n\nA program with fewer contexts than counters is counted exactly, and one without a hot context has "
            "nothing to be found. These have more contexts than counters. `space-saving`, phi = 1e-4.\n\n" + table(titles, rows)
            + "\nThe paper, at phi/5: false positives 0 to 5% of the nodes in the large majority, below 10% in the worst case; average error below 2% in the majority, "
              "above 4% in one.\n")


def epsilon_section(programs, algorithms, figure):
    """False positives as a share of the nodes, all programs with every epsilon taken together."""
    chosen = [program for program in exact_ones(programs) if {run["algorithm"] for run in program["bounded"] if run["part"] == 2} == set(algorithms)]
    lines, rows = {}, []
    for algorithm in algorithms:
        points = []
        for part in sorted({run["part"] for program in chosen for run in program["bounded"]}):
            runs = [run["metrics"] for program in chosen for run in program["bounded"]
                    if run["algorithm"] == algorithm and run["part"] == part and run["phi"] == 1e-4]
            false, nodes = sum(metrics["false_positives"] for metrics in runs), sum(goals.tree_nodes(metrics) for metrics in runs)
            points.append((1 / part, 100 * false / nodes if nodes else 0))
            rows.append([algorithm, f"phi/{part}", count(false), number(points[-1][1], unit="%")])
        lines[algorithm] = points
    top = max(value for points in lines.values() for _, value in points) or 1
    picture = figure("epsilon", charts.line_chart("False positives against epsilon", charts.Axis("epsilon / phi", 0, 0.5),
                                                  charts.Axis("false positives, % of the nodes", 0, top * 1.1, show=lambda value: f"{value:.3g}%"), lines))
    names = ", ".join(program["name"] for program in chosen)
    without = [program for program in chosen if not program["exact"]["hcct"]["1e-4"]["hot"]]
    inside = sum(run["metrics"]["false_positives"] for program in without for run in program["bounded"] if run["phi"] == 1e-4)
    every = sum(run["metrics"]["false_positives"] for program in chosen for run in program["bounded"] if run["phi"] == 1e-4)
    return ("### False positives against epsilon (figure 10)\n\n" + picture + f"phi = 1e-4; {names} together. {count(inside)} of all {count(every)} are in programs without "
            "any hot context, where sticky sampling has fewer counters than it needs ([lab.md](lab.md#streaming-algorithms)). The paper, Space Saving alone: close to 0% in most programs "
            "where epsilon is below phi/10.\n\n"
            + table(["algorithm", "epsilon", "false positives", "of the nodes"], rows))


def error_section(programs, algorithms, figure):
    groups = {}
    for program in exact_ones(programs):
        runs = {run["algorithm"]: run["metrics"]["avg_counter_error"] for run in goals.at_default_parameters(program)}
        groups[program["name"]] = [runs[algorithm] or None for algorithm in algorithms]
    values = [value for group in groups.values() for value in group if value]
    picture = figure("error", charts.bar_chart("Average counter error among hot contexts", charts.logarithmic_axis("error, %", values, percent_tick, room=2), "program",
                                               groups, algorithms))
    return ("### Counter error (figure 11)\n\n" + picture + "No bar: no error, or no hot context. The largest errors, which the paper's figure has as well, are in the table above. The paper: on average below 2% in the majority of its "
            "programs, above 4% in one.\n")


# --- the encodings -----------------------------------------------------------------------------


def average_row(rows):
    """Of the columns of numbers from the second on."""
    return ["**average**", ""] + [f"{sum(float(row[column]) for row in rows) / len(rows):.1f}" for column in range(2, len(rows[0]))]


def pcce_table():
    """What the paper has of its programs, in the same columns."""
    rows = [[name, count(contexts), *values] for name, (contexts, *values) in PCCE_ROWS.items()]
    return ("### The paper's programs\n\nAll are in C; 186.crafty plays chess. The paper's average row has 8.7, 3.2, 39.2 and 13.7, but the means of its rows are those at the end here:\n\n"
            + table(["program", "contexts", "integers, most", "90% of contexts", "call depth, most", "90% of contexts"], rows + [average_row(rows)]))


def stack_section(programs, figure):
    """A context with k pushes takes k + 1 integers."""
    exact = exact_ones(programs)
    rows = []
    for program in exact:
        depth, pushes = program["exact"]["depth"], program["exact"]["pushes"]
        rows.append([program["name"], count(program["exact"]["contexts"])] + [pushes[name] + 1 for name in ("largest", "contexts_90", "calls_90")]
                    + [depth[name] for name in ("largest", "contexts_90", "calls_90")]
                    + [program["exact"]["id_bits"], f"{100 * program['exact']['pushed_calls'] / program['exact']['calls']:.1f}"])
    lines = {program["name"]: [(k + 1, 100 * contexts) for k, contexts, _ in program["exact"]["pushes"]["cumulative"]] for program in exact}
    longest = min(40, max(len(points) for points in lines.values()))
    lines = {name: [point for point in points if point[0] <= longest] + [(longest, points[-1][1])] * (points[-1][0] < longest) for name, points in lines.items()}
    picture = figure("pushes", charts.line_chart("Sufficiency: contexts that so many integers are enough for", charts.Axis("integers", 1, longest),
                                                 charts.Axis("contexts, %", 0, 100), lines))
    titles = ["program", "contexts", "integers, most", "90% of contexts", "90% of calls", "call depth, most", "90% of contexts", "90% of calls", "bits of an id", "calls that push, %"]
    return ("## The encoding (Sumner et al.)\n\nA context is one number for each acyclic piece; the context stack holds those of the pieces before "
            "the last. The table compares the integers that a context takes, its pushes and 1, with the depth of the full call path, in functions. 90%: what 90% of "
            "the contexts, or of the calls, do not exceed. Bits: of the largest id, in units of 16, that the numbering gave to a function that was called; the paper has 32, here edges "
            "are cut from 58 on.\n\n"
            + table(titles, rows + [average_row(rows)])
            + "\n" + picture + "hcct pushes at indirect calls, too, and at calls of code that may call back.\n\n" + pcce_table())


def heights_section(programs):
    rows = []
    for program in programs:
        heights = program["heights"]
        if heights:
            share = lambda name, whole, of=heights: percent(of[name] / of[whole])
            rows.append([program["name"], count(heights["paths"]), share("precise", "paths"), share("precise_5", "paths"), share("precise_calls", "calls"),
                         count(heights["contexts"]), share("precise_contexts", "contexts"), share("precise_5_contexts", "contexts")])
    return ("## Stack height and function (Mytkowicz et al., figure 2)\n\nThe height of the stack in bytes, together with the function, may identify "
            "the call path without any instrumentation. The table shows how often it does: a test build (`HCCT_SHADOW=1` and `lab/figures/heights.c`) "
            "notes the height of each exact context. A path is precise if no other path has its pair, and 5-precise if at most five share it, itself included. "
            "By function (the paper's definition, section 8.4): a path is a sequence of functions. By call site: it is a sequence of call sites, one of hcct's contexts. "
            "Tail calls are plain calls in that build, so a chain of them is not folded, and there may be more contexts than above.\n\n"
            + table(["program", "paths by function", "precise", "5-precise", "calls of precise ones", "by call site", "precise", "5-precise"], rows)
            + "\nThe paper: 68% of the paths by function are precise on average in unaltered programs of SPEC CPU2006 (figure 2); by its section 9 it is 85% in C and 67% in C++ "
              "(figure 11). The 95% for C and 80% for C++ of its abstract are those after activation records were resized.\n")


def goals_section(programs, taus):
    lines, missed_count = [], 0
    for goal in goals.all_goals(programs, taus):
        exceptions = goal.exceptions()
        missed_count += bool(exceptions)
        verdict = "**not met everywhere**" if exceptions else "met" if goal.cases else "nothing to measure"
        lines.append(f"- {goal.text}: {verdict}, {goal.met_count()} of {len(goal.cases)}.")
        lines += [f"  - {exception}" for exception in exceptions]
    text = ("## Goals\n\nAt phi = 1e-4, epsilon = phi/5. The numbers count pairs of a program and an algorithm. Two goals are guaranteed: no hot "
            "context is missed (by sticky sampling: with a probability of 0.99), and no error is above the epsilon in the profile. The others depend on the program."
            "\n\n" + "\n".join(lines) + "\n")
    return text, "every goal met" if not missed_count else f"{missed_count} goals not met everywhere"


HEAD = """# Accuracy

<!-- Written by {command}. Do not edit: lab/figures/report.py has the words. -->

This page shows how well bounded profiles stand for exact ones, and what the papers found on their programs. Written by `{command}` from runs of hcct on
the programs below; nothing is timed ([performance.md](performance.md) has times). SPE: D. C. D'Elia, C. Demetrescu, I. Finocchi, "Mining Hot
Calling Contexts in Small Space" (Software: Practice and Experience, 2015). Also: W. N. Sumner, Y. Zheng, D. Weeratunge, X. Zhang, "Precise Calling Context
Encoding" (ICSE 2010); T. Mytkowicz, D. Coughlin, A. Diwan, "Inferred Call Path Profiling" (OOPSLA 2009). "The paper" below is what these say of their own
programs, for comparison only: programs, compilers and inlining differ.
"""


def write(data, folder, algorithms, taus):
    """Writes into `folder`; what became of the goals."""
    programs, pictures = data["programs"], os.path.join(folder, "accuracy")
    os.makedirs(pictures, exist_ok=True)

    def figure(name, drawing):
        with open(os.path.join(pictures, name + ".svg"), "w", encoding="utf-8") as file:
            file.write(drawing)
        return f"![{name}](accuracy/{name}.svg)\n\n"

    told, verdict = goals_section(programs, taus)
    sections = [HEAD.format(command=data["command"]), told, programs_section(data), sizes_section(programs), hcct_section(programs),
                skew_section(programs, figure), space_section(programs, figure), limit_section(data["limit"]), accuracy_section(programs),
                overlap_section(programs, figure), coverage_section(programs, taus), uncovered_section(programs, figure),
                partition_section(programs, figure), tested_section(programs), epsilon_section(programs, algorithms, figure), error_section(programs, algorithms, figure),
                stack_section(programs, figure), heights_section(programs)]
    with open(os.path.join(folder, "accuracy.md"), "w", encoding="utf-8") as file:
        file.write("\n".join(section for section in sections if section))
    return verdict
