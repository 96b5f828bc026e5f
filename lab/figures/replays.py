"""The papers' figures that need several profiles of one run, from traces: the run is recorded once, hcct-lab replay makes the profiles.

D'Elia et al. (SPE 2015): figure 4, the peak size of the tree against phi; figure 5, bursts alone, Space Saving alone, and both; figure 7(a), the
largest phi with a degree of overlap; figure 7(b), the least tau with full hot edge coverage. Arnold and Sweeney (2000): figures 1 and 3 to 5.
"""
import os
import statistics
import sys

import charts
import lab
import report
import samples
import shell

PHIS = [1e-2, 1e-3, 1e-4, 1e-5]
PHI = 1e-4
BURST = "1000/10000"  # a tenth of the calls, as the paper's 0.2 ms of 2 ms
PERIODS = [1, 59, 307, 1559]
TOP = 40


def duktape_once():
    """Duktape on one round of its script."""
    subject = lab.Subject("duktape", lab.duktape("duktape.js"))
    subject.arguments = lab.programs.duktape().workloads["tiny"].arguments
    return subject


def replay(trace, profile, *options):
    return lab.output_of([os.path.join(shell.HCCT, "bin", "hcct-lab"), "replay", "--facts", "-o", profile, *options, trace])


def path_of(name):
    return os.path.join(lab.FOLDER, name)


# --- D'Elia et al. ----------------------------------------------------------------------------------------


def measure_one(subject):
    print(f"{subject.name}: trace", file=sys.stderr)
    trace = lab.trace(subject, "4G")
    exact, hot = path_of("exact.bin"), path_of("hot.bin")
    full = replay(trace, exact, "--mode=cct")
    if full["calls"] != (shape := lab.shape(exact, PHIS))["calls"]:
        shell.fail(f"{subject.name}: {full['calls']} calls in the trace, {shape['calls']} in its profile")
    peak = lambda *options: 100 * replay(trace, hot, *options)["peak_nodes"] / full["cct_nodes"]
    result = {"calls": full["calls"], "contexts": full["contexts"], "bits": 8 * trace_bytes(trace) / full["calls"],
              "peaks": [(phi, peak(f"--phi={phi}")) for phi in PHIS],
              "parts": [peak("--mode=cct", f"--burst={BURST}"), peak(f"--phi={PHI}"), peak(f"--phi={PHI}", f"--burst={BURST}")],
              "phis": shape["overlap"], "taus": shape["tau"]}
    os.remove(trace)
    return result


def trace_bytes(trace):
    """Of the calls alone: without the profile at the end."""
    total, at, end = 0, 16, os.path.getsize(trace)
    with open(trace, "rb") as file:
        while at < end:
            file.seek(at)
            header = file.read(32)
            kind, size = int.from_bytes(header[:4], "little"), int.from_bytes(header[16:24], "little")
            total += size if kind == 1 else 0
            at += 32 + (size + 7) // 8 * 8
    return total


def figures(results, figure):
    phis = charts.logarithmic_axis("phi (epsilon = phi/5)", PHIS, report.power)
    lines = {name: result["peaks"] for name, result in results.items()}
    values = [value for points in lines.values() for _, value in points]
    yield figure("peak", charts.line_chart("Peak size of the tree, of the CCT's nodes", phis,
                                           charts.logarithmic_axis("nodes, % of the CCT's", values, report.percent_tick, 100), lines))
    yield ("Figure 4: the most nodes that are needed at one time, monitored contexts and their ancestors. The paper: below 1% of the CCT for phi >= 1e-4 in most "
           "programs, at most 4.1%; its CCTs have 2 to 48 million nodes. A program with fewer contexts than counters keeps all of them.\n\n")
    groups = {name: result["parts"] for name, result in results.items()}
    yield figure("parts", charts.bar_chart("Peak size with bursts, with Space Saving, with both", charts.Axis("nodes, % of the CCT's", 0, 100), "program", groups,
                                           ["bursts", "Space Saving", "both"]))
    yield (f"Figure 5: phi = 1e-4. Bursts: {BURST.replace('/', ' of each ')} calls; the paper's are 0.2 ms of each 2 ms. The paper: bursts alone keep a large fraction of "
           "the CCT; with Space Saving fewer nodes are needed than without bursts.\n\n")
    lines = {name: [(100 * overlap, phi) for overlap, phi in result["phis"]] for name, result in results.items()}
    values = [value for points in lines.values() for _, value in points]
    yield figure("overlap", charts.line_chart("The largest phi with a degree of overlap", charts.Axis("degree of overlap, %", 0, 100),
                                              charts.logarithmic_axis("phi", values, report.power), lines))
    yield "Figure 7(a), of the exact HCCT. The paper: at phi = 1e-4 as small as 10% in its two least skewed programs.\n\n"
    lines = {name: result["taus"] for name, result in results.items()}
    values = [value for points in lines.values() for _, value in points]
    yield figure("coverage", charts.line_chart("The least tau with all hot edges covered", phis, charts.logarithmic_axis("tau", values, report.power), lines))
    yield ("Figure 7(b), of the exact HCCT: above each line every edge that is as hot as tau times the hottest one is in the tree. The paper: tau is proportional to "
           "phi, and about ten times as large; it takes floor(phi N) for the hottest context outside, here it is looked for.\n\n")


def table(results):
    rows = [[name, report.count(result["calls"]), report.count(result["contexts"]), f"{result['bits']:.2f}"]
            + [f"{value:.3g}%" for _, value in result["peaks"]] + [f"{value:.3g}%" for value in result["parts"]] for name, result in results.items()]
    titles = ["program", "calls", "contexts", "bits a call"] + [f"phi = {report.power(phi)}" for phi in PHIS] + ["bursts", "Space Saving", "both"]
    return report.table(titles, rows) + "\nBits: of the calls in the trace. Then: the peak of the tree's nodes, of the CCT's.\n\n"


# --- Arnold and Sweeney -------------------------------------------------------------------------------------


def measure_edges():
    """Of each figure: its number, a title, and what is found of the 40 hottest edges. As in the paper a sample is each period-th call."""
    subject = duktape_once()
    binary, trace, profile = lab.build_subject(subject, "hcct"), lab.trace(subject), path_of("sampled.bin")
    replay(trace, profile, "--mode=cct")
    exact, _, _ = samples.load(profile)
    top, runs = samples.hottest(exact), []
    for number, period in zip((1, 3, 4, 5), PERIODS):
        replay(trace, profile, "--mode=cct", f"--burst=1/{period}")
        runs.append((number, f"each {period}th call" if period > 1 else "every call", samples.load(profile)[0]))
    return {"exact": [exact[path] for path in top], "runs": [[number, title, [counts.get(path, 0) for path in top]] for number, title, counts in runs]}


def edges(found, figure):
    exact = found["exact"]
    yield report.table(["figure", "what is sampled", "correlation"], [[number, title, f"{statistics.correlation(exact, counts):.3f}"] for number, title, counts in found["runs"]]) + "\n"
    for number, title, counts in found["runs"]:
        groups = {str(place + 1) if place % 5 == 4 or not place else " " * place: [100 * true / exact[0], 100 * count / max(counts)]
                  for place, (true, count) in enumerate(zip(exact, counts))}
        yield figure(f"edges-{number}", charts.bar_chart(f"The {TOP} hottest edges: {title}", charts.Axis("calls, % of the hottest", 0, 100), "edge of the CCT", groups,
                                                         ["CCT", "samples"]))


# --- the document ---------------------------------------------------------------------------------------------


HEAD = """The figures of the papers that need several profiles of one run, on our programs; the others are in [accuracy.md](accuracy.md).
Hot is at least phi·N, as in all of hcct; the paper takes the integer part of phi·N.

"""
EDGES = """### Arnold and Sweeney, figures 1 and 3 to 5

Duktape on one round of its script; the 40 edges of the CCT that are called most, and what samples find of them, each in % of its own hottest. A sample is each period-th call of the
trace, and counts for the last edge alone. (In the paper's figure 2 it counts for all edges that are new since the last sample, which a trace does not tell.)

"""


def subjects():
    """Of accuracy.md's programs those with an exact profile and a hot context."""
    return {subject.name: subject for subject in lab.subjects(False) if subject.full and not subject.by_construction}


def names():
    return [*subjects(), "edges"]


def measure(chosen, known):
    """These of names(); the others keep what they have."""
    known = known or {"programs": {}, "edges": None}
    for name in chosen:
        if name == "edges":
            known["edges"] = measure_edges()
        else:
            known["programs"][name] = measure_one(subjects()[name])
        lab.remove_profiles()
    return dict(known, order=[name for name in subjects() if name in known["programs"]])


def write(data):
    pictures = shell.source("docs", "lab")
    os.makedirs(pictures, exist_ok=True)

    def figure(name, drawing):
        shell.write(os.path.join(pictures, name + ".svg"), drawing)
        return f"![{name}](lab/{name}.svg)\n\n"

    results = {name: data["programs"][name] for name in data["order"]}
    text = HEAD + table(results) + "".join(figures(results, figure)) + EDGES + "".join(edges(data["edges"], figure)).rstrip() + "\n"
    shell.write_document(shell.source("docs", "lab.md"), text, "replays")
