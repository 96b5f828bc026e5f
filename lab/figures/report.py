"""Writes docs/lab/tables.md and its figures from what lab.py and queues.py measured. Each number of ours in it comes from the data."""
import os

import charts
import lab
import queues
import shell

MIB = 1 << 20


def count(value):
    return f"{value:,}"


def number(value, digits=3, unit=""):
    return "–" if value is None else f"{value:.{digits}g}{unit}"


def percent(share, digits=3):
    return "–" if share is None else f"{100 * share:.{digits}g}%"


def table(titles, rows):
    lines = ["| " + " | ".join(titles) + " |", "|---|" + "---:|" * (len(titles) - 1)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]) + "\n"


def power(value):
    """A power of ten as people write it, and plain numbers near one."""
    return f"{value:g}" if 0.001 <= value <= 1000 else f"{value:.0e}".replace("e-0", "e-").replace("e+0", "e")


def percent_tick(value):
    return f"{power(value)}%"


def tree_nodes(metrics):
    """Of the mined tree: hot ones (found), false positives, and cold ancestors."""
    return metrics["hot"] - metrics["false_negatives"] + metrics["false_positives"] + metrics["cold"]


def with_hot(programs):
    """Those with a context that is hot at phi = 1e-4."""
    return [program for program in programs if program["exact"]["hcct"]["1e-4"]["hot"]]


# --- D'Elia et al.: trees --------------------------------------------------------------------------


def programs_section(programs):
    rows = []
    for program in programs:
        exact = program["exact"]
        rows.append([program["name"], program["title"], *(count(exact[name]) for name in ("functions", "edges", "sites", "nodes", "calls")), f"{program['bits']:.2f}"])
    return ("## Programs, and sizes (SPE, Table I)\n\n" + table(["program", "what runs", "call graph nodes", "edges", "call sites", "CCT nodes", "call tree nodes", "bits a call"], rows)
            + "\nOf the exact profile; inlined functions do not count. Bits: of the calls in the trace. In fib and knapsack every call is a context of its own.\n"
              "The paper: a few thousand nodes in the call graph, ten times as many call sites, tens of millions of nodes in the CCT.\n")


def hcct_section(programs):
    phis = ["1e-3", "1e-5", "1e-7"]
    rows = [[program["name"], *(count(program["exact"]["hcct"][phi]["nodes"]) for phi in phis), count(program["exact"]["nodes"]), percent(program["exact"]["hottest_tenth"])]
            for program in programs]
    return ("## Nodes of the HCCT (SPE, Table II), and skew (figure 1)\n\n" + table(["program", *(f"phi = {phi}" for phi in phis), "CCT", "calls of the hottest 10%"], rows)
            + "\nHot contexts and their ancestors, of the exact tree. The paper, with CCTs of 2.2 to 48 million nodes: 80 to 136, 9,181 to 16,713, 233,362 to 1,339,752; "
              "the hottest 10% have about 90% of the calls.\n")


def skew_section(programs, figure):
    lines = {program["name"]: [(100 * x, 100 * y) for x, y in program["exact"]["skew"]] for program in programs}
    x_axis = charts.logarithmic_axis("hottest contexts, % of all", [x for points in lines.values() for x, _ in points], percent_tick, 100)
    return figure("skew", charts.line_chart("Skew: what the hottest contexts account for", x_axis, charts.Axis("calls, %", 0, 100), lines))


def peak_section(programs, figure):
    phis = lab.PHIS[:4]
    lines = {program["name"]: [(phi, 100 * nodes / program["full"]["cct_nodes"]) for phi, nodes in program["peaks"]] for program in programs}
    values = [value for points in lines.values() for _, value in points]
    picture = figure("peak", charts.line_chart("Peak size of the tree, of the CCT's nodes", charts.logarithmic_axis("phi (epsilon = phi/5)", [float(phi) for phi in phis], power),
                                               charts.logarithmic_axis("nodes, % of the CCT's", values, percent_tick, 100), lines))
    rows = []
    for program in programs:
        share = lambda facts, all_nodes=program["full"]["cct_nodes"]: percent(facts["peak_nodes"] / all_nodes)
        rows.append([program["name"], *(f"{value:.3g}%" for _, value in lines[program["name"]]), share(program["bursts"]["bursts"]["facts"]),
                     share(program["algorithms"][lab.PAPER]["facts"]), share(program["bursts"]["both"]["facts"]), *(f"{program['memory'][mode] / MIB:.1f}" for mode in ("hcct", "cct"))])
    return ("## Space (SPE, figures 4 and 5)\n\n" + picture
            + table(["program", *(f"phi = {phi}" for phi in phis), "bursts", "Space Saving", "both", "mode=hcct, MiB", "mode=cct, MiB"], rows)
            + f"\nThe most nodes that are needed at one time, monitored contexts and their ancestors, of the CCT's: the lazy queue; then at phi = 1e-4 with bursts of {lab.BURST.replace('/', ' of each ')}. "
              "A program with fewer contexts than counters keeps all of them. MiB: all of the profiler's memory at the end of a run with default options.\n"
              "The paper: below 1% of the CCT for phi >= 1e-4 in most programs, at most 4.1%. Bursts alone keep a large part; with both, fewer nodes are needed than without bursts.\n")


def exact_section(programs, figure):
    chosen = with_hot(programs)
    lines = {program["name"]: [(100 * overlap, phi) for overlap, phi in program["exact"]["overlap"]] for program in chosen}
    values = [value for points in lines.values() for _, value in points]
    text = figure("overlap", charts.line_chart("The largest phi with a degree of overlap", charts.Axis("degree of overlap, %", 0, 100), charts.logarithmic_axis("phi", values, power), lines))
    lines = {program["name"]: [(phi, tau) for phi, tau in program["exact"]["tau"] if phi >= 1e-5] for program in chosen}
    values = [value for points in lines.values() for _, value in points]
    text += figure("coverage", charts.line_chart("The least tau with all hot edges covered", charts.logarithmic_axis("phi", [1e-5, 1e-2], power), charts.logarithmic_axis("tau", values, power), lines))
    return ("## The exact HCCT (SPE, figure 7)\n\n" + text + "Above each line of the second figure every edge that is as hot as tau times the hottest one is in the tree. The paper: at phi = 1e-4 an overlap "
            "as small as 10% in its two least skewed programs; tau is proportional to phi, and about ten times as large.\n")


# --- D'Elia et al.: accuracy -----------------------------------------------------------------------


def metrics_row(program, algorithm, metrics, facts):
    nodes = tree_nodes(metrics)
    return [program["name"], algorithm, percent(metrics["degree_of_overlap"], 4), number(metrics["max_uncovered_hotness"]), number(metrics["avg_uncovered_hotness"]), count(metrics["hot"]),
            count(metrics["cold"]), count(metrics["false_positives"]), percent(metrics["false_positives"] / nodes if nodes else None), count(metrics["false_negatives"]),
            number(metrics["max_counter_error"]), number(metrics["avg_counter_error"]), number(metrics["avg_tree_counter_error"]), f"{facts['algorithm_bytes'] / MIB:.1f}"]


def algorithms_section(programs):
    rows = []
    for program in programs:
        for algorithm, found in program["algorithms"].items():
            rows.append(metrics_row(program, algorithm, found["metrics"], found["facts"]))
            if found["low"]:
                rows.append(metrics_row(program, f"{algorithm}, f", found["low"], found["facts"]))
    titles = ["program", "algorithm", "degree of overlap", "uncovered max, %", "avg, %", "hot", "cold", "false positives", "of the nodes", "false negatives", "counter error max, %", "avg, %",
              "in the tree avg, %", "MiB"]
    return ("## Every algorithm (SPE, figures 8, 9 and 11)\n\n" + table(titles, rows)
            + "\nphi = 1e-4, epsilon = phi/5. *f*: as the algorithm is published (`--low`). A dash: nothing to measure. MiB: the algorithm's own. The paper: uncovered contexts have 0.01% of the hottest one's "
              "calls on average, 10% at most; false positives are 0 to 5% of the nodes mostly, below 10% always; the counter error is below 2% mostly, above 4% in one program.\n")


def epsilon_section(programs):
    chosen = [program for program in with_hot(programs) if program["positives"][0][1]["hot"] and program["exact"]["contexts"] > lab.EPSILON_PARTS[0] / lab.PHI]
    rows = []
    for program in chosen:
        cells = []
        for _, metrics in program["positives"]:
            cells += [count(metrics["false_positives"]), percent(metrics["false_positives"] / (tree_nodes(metrics) or 1))]
        rows.append([program["name"], count(program["exact"]["contexts"]), *cells])
    titles = ["program", "contexts", *(text for part in lab.EPSILON_PARTS for text in (f"false positives, epsilon = phi/{part}", "of the nodes"))]
    return ("## False positives against epsilon (SPE, figure 10)\n\n" + table(titles, rows)
            + "\nThe lazy queue, phi = 1e-4; programs with a hot context and more contexts than counters. The paper: close to 0% in most programs where epsilon is below phi/10.\n")


def bursts_section(programs):
    rows = []
    for program in with_hot(programs):
        bursts = program["bursts"]
        calls = lambda kind, found=bursts, whole=program["full"]["calls"]: percent(found[kind]["facts"]["counted"] / whole)
        rows.append([program["name"], calls("both"), number(bursts["bursts"]["metrics"]["avg_counter_error"]), number(bursts["both"]["metrics"]["avg_counter_error"]),
                     *(percent(share) for share in bursts["both"]["metrics"]["hot_edge_coverage"][:3]), percent(bursts["bursts"]["all"]["degree_of_overlap"]), calls("adaptive"),
                     percent(bursts["adaptive"]["all"]["degree_of_overlap"]), percent(bursts["adaptive"]["all"]["hot_edge_coverage"][0]), number(bursts["adaptive"]["metrics"]["avg_counter_error"])])
    titles = ["program", "calls in bursts", "counter error avg, %: bursts", "with Space Saving", "coverage at tau", "2 tau", "4 tau", "overlap", "calls, adaptive", "overlap", "coverage at 0.1", "error avg, %"]
    return ("## Bursts (SPE, figure 12; Zhuang et al.)\n\n" + table(titles, rows)
            + f"\nBursts of {lab.BURST.replace('/', ' of each ')}, phi = 1e-4. tau: the least with full coverage without bursts. Overlap: of all contexts that were met, with the CCT. "
              f"Adaptive: of bursts that begin in a context where one began before, one in {lab.ONE_IN} is counted.\n"
              "The paper: average errors of 6.89% to 17.31%, alike with and without Space Saving; full coverage from 2 tau on. Zhuang et al.: 85% overlap, 88% coverage at 0.1, by adaptive bursts.\n")


# --- the other papers ------------------------------------------------------------------------------


def encoding_section(programs):
    """A context with k pushes takes k + 1 integers."""
    rows = []
    for program in programs:
        exact = program["exact"]
        rows.append([program["name"], count(exact["contexts"]), *(exact["pushes"][name] + 1 for name in ("largest", "contexts_90", "calls_90")),
                     *(exact["depth"][name] for name in ("largest", "contexts_90", "calls_90")), exact["id_bits"], f"{100 * exact['pushed_calls'] / exact['calls']:.1f}"])
    means = [f"{sum(float(row[column]) for row in rows) / len(rows):.1f}" for column in range(2, len(rows[0]))]
    titles = ["program", "contexts", "integers, most", "90% of contexts", "90% of calls", "call depth, most", "90% of contexts", "90% of calls", "bits of an id", "calls that push, %"]
    return ("## The encoding (Sumner et al., context attributes)\n\n" + table(titles, rows + [["**average**", "", *means]])
            + "\nThe integers that a context takes are its pushes and one; the depth is that of the full call path, in functions. 90%: what 90% of the contexts, or calls, do not exceed. Bits: of the largest id, in "
              "units of 16, of a function that was called. hcct pushes at indirect calls, too, and at calls of code that may call back.\n"
              "The paper's 19 programs, all in C: 8.7 and 3.2 integers on average, depths of 31.6 and 13.1 (its average row says 39.2 and 13.7), ids of 32 bits.\n")


def samples_section(rows):
    cells = [[title, figure, count(counted), f"{correlation:.3f}", same, percent(error), percent(found)] for figure, title, counted, correlation, same, error, found in rows]
    return ("## Samples (Arnold and Sweeney, figures 1 to 5; Whaley)\n\n"
            + table(["sampled", "figure", "samples", "correlation", f"of the {lab.TOP} hottest", "their mean error", "contexts found"], cells)
            + f"\nDuktape; the {lab.TOP} edges of the CCT that are called most, and what samples find of them. Errors are of shares.\n")


HEAD = """# The laboratory's tables

<!-- Written by {command}. Do not edit: lab/figures/report.py has the words. -->

Made by `{command}` on revision {revision}. What the columns mean, and how to make such profiles: [lab.md](../lab.md). SPE: D'Elia, Demetrescu and Finocchi (2015). "The paper" says what a
paper has of its own programs, for comparison only: programs, compilers and inlining differ.
"""


def write(data, folder):
    """Writes into `folder`."""
    programs = data["programs"]

    def figure(name, drawing):
        shell.write(os.path.join(folder, name + ".svg"), drawing)
        return f"![{name}]({name}.svg)\n\n"

    revisions = sorted(set(revision for part, revision in data["revisions"].items() if part.partition(":")[0] not in ("pcc", "known")))
    sections = [HEAD.format(command=data["command"], revision=", ".join(revisions)), programs_section(programs), hcct_section(programs), skew_section(programs, figure).rstrip() + "\n",
                peak_section(programs, figure), exact_section(programs, figure), algorithms_section(programs), epsilon_section(programs), bursts_section(programs), encoding_section(programs)]
    if "samples" in data:
        sections.append(samples_section(data["samples"]))
    if "queues" in data:
        sections.append(queues.section(data["queues"]))
    shell.write(os.path.join(folder, "tables.md"), "\n".join(sections))
