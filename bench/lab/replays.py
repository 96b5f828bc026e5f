"""The papers' figures that need several profiles of one run, from traces: the run is recorded once, hcct-replay makes the profiles.

D'Elia et al. (SPE 2015): figure 4, the peak size of the tree against phi; figure 5, bursts alone, Space Saving alone, and both; figure 7(a), the
largest phi with a degree of overlap; figure 7(b), the least tau with full hot edge coverage. Arnold and Sweeney (2000): figures 1 to 5.

    python3 bench/lab/replays.py          writes docs/replay.md and its figures; some minutes
    python3 bench/lab/replays.py --print  prints only
"""
import argparse
import json
import os
import statistics
import subprocess
import sys

sys.path[:0] = [os.path.dirname(os.path.dirname(os.path.abspath(__file__))), os.path.dirname(os.path.abspath(__file__))]
import charts
import lab
import report
import samples
import shell

PHIS = [1e-2, 1e-3, 1e-4, 1e-5]
PHI = 1e-4
BURST = "1000/10000"  # a tenth of the calls, as the paper's 0.2 ms of 2 ms
OVERLAPS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99]
PERIODS = [1, 59, 307, 1559]
TOP = 40


def duktape():
    """Duktape on one round of its script."""
    subject = lab.Subject("duktape", lab.duktape("duktape.js"))
    subject.arguments = lab.programs.duktape().workloads["tiny"].arguments
    return subject


def subjects():
    virtual = lab.programs.PROGRAMS["virtual"]()
    return [duktape(), lab.Subject("parser", lab.own("parser", "40")), lab.Subject("chess", lab.own("chess", "4", "6")),
            lab.Subject("virtual", virtual, workload="tiny"), lab.Subject("layers", lab.own("layers", "300000", suffix=".cpp"))]


def path_of(subject, what):
    return os.path.join(lab.FOLDER, f"{subject.name}.{what}")


def record(subject, binary):
    trace = path_of(subject, "trace")
    lab.run(subject, binary, f"trace='{trace}'", "traced.bin")
    return trace


def replay(trace, profile, *options):
    return lab.output_of([os.path.join(shell.HCCT, "bin", "hcct-replay"), "--facts", "-o", profile, *options, trace])


# --- the exact tree ------------------------------------------------------------------------------------


class Tree:
    """Counts of the contexts of a profile, parents before children, and the largest count below each."""

    def __init__(self, path):
        done = subprocess.run([os.path.join(shell.HCCT, "bin", "hcct-decode"), "--all", "--format=json", path], stdout=subprocess.PIPE, check=True)
        nodes = json.loads(done.stdout)["nodes"]
        self.counts = [node["count"] or 0 for node in nodes]
        self.below = list(self.counts)
        for index in range(len(nodes) - 1, -1, -1):
            parent = nodes[index]["parent"]
            if parent >= 0:
                self.below[parent] = max(self.below[parent], self.below[index])
        self.calls, self.hottest = sum(self.counts), max(self.counts)

    def phi_for(self, overlap):
        """The largest phi whose HCCT, hot contexts and their ancestors, has that share of the calls."""
        kept = 0
        for below, count in sorted(zip(self.below, self.counts), reverse=True):
            kept += count
            if kept >= overlap * self.calls:
                return max(below, 1) / self.calls
        raise AssertionError("the whole tree has all calls")

    def tau_for(self, phi):
        """The least tau with which each hot edge is in the HCCT: just above the hottest context outside."""
        hot = int(phi * self.calls)
        outside = [count for below, count in zip(self.below, self.counts) if below < hot]
        return (max(outside) + 1) / self.hottest if outside else 1 / self.hottest


# --- D'Elia et al. ----------------------------------------------------------------------------------------


def measure(subject):
    print(subject.name, file=sys.stderr)
    trace = record(subject, lab.build_subject(subject, "hcct"))
    exact, hot = path_of(subject, "exact.bin"), path_of(subject, "hot.bin")
    full = replay(trace, exact, "--mode=cct")
    peak = lambda *options: 100 * replay(trace, hot, *options)["peak_nodes"] / full["cct_nodes"]
    tree = Tree(exact)
    result = {"calls": full["calls"], "contexts": full["contexts"], "bits": 8 * trace_bytes(trace) / full["calls"],
              "peaks": [(phi, peak(f"--phi={phi}")) for phi in PHIS],
              "parts": [peak("--mode=cct", f"--burst={BURST}"), peak(f"--phi={PHI}"), peak(f"--phi={PHI}", f"--burst={BURST}")],
              "phis": [(overlap, tree.phi_for(overlap)) for overlap in OVERLAPS], "taus": [(phi, tree.tau_for(phi)) for phi in PHIS]}
    os.remove(trace)
    return result


def trace_bytes(trace):
    """Of the calls alone: without the profile at the end."""
    with open(trace, "rb") as file:
        data, at, total = file.read(), 16, 0
    while at < len(data):
        kind, size = int.from_bytes(data[at:at + 4], "little"), int.from_bytes(data[at + 16:at + 24], "little")
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
    yield (f"Figure 5: phi = 1e-4. Bursts: {BURST.replace('/', ' of each ')} calls. The paper: bursts alone keep a large fraction of the CCT; with Space Saving "
           "fewer nodes are needed than without bursts.\n\n")
    lines = {name: [(100 * overlap, phi) for overlap, phi in result["phis"]] for name, result in results.items()}
    values = [value for points in lines.values() for _, value in points]
    yield figure("overlap", charts.line_chart("The largest phi with a degree of overlap", charts.Axis("degree of overlap, %", 0, 100),
                                              charts.logarithmic_axis("phi", values, report.power), lines))
    yield "Figure 7(a), of the exact HCCT. The paper: at phi = 1e-4 as small as 10% in its two least skewed programs.\n\n"
    lines = {name: result["taus"] for name, result in results.items()}
    values = [value for points in lines.values() for _, value in points]
    yield figure("coverage", charts.line_chart("The least tau with all hot edges covered", phis, charts.logarithmic_axis("tau", values, report.power), lines))
    yield ("Figure 7(b), of the exact HCCT: above each line every edge that is as hot as tau times the hottest one is in the tree. The paper: tau is proportional to "
           "phi, and about ten times as large.\n\n")


def table(results):
    rows = [[name, report.count(result["calls"]), report.count(result["contexts"]), f"{result['bits']:.2f}"]
            + [f"{value:.3g}%" for _, value in result["peaks"]] + [f"{value:.3g}%" for value in result["parts"]] for name, result in results.items()]
    titles = ["program", "calls", "contexts", "bits a call"] + [f"phi = {report.power(phi)}" for phi in PHIS] + ["bursts", "Space Saving", "both"]
    return report.table(titles, rows) + "\nBits: of the calls in the trace. Then: the peak of the tree's nodes, of the CCT's.\n\n"


# --- Arnold and Sweeney -------------------------------------------------------------------------------------


def edges(figure):
    """The 40 hottest edges of Duktape: what they are, and what is found of them. As in the paper a sample is each period-th call; `all-new` needs a run."""
    subject = duktape()
    binary = lab.build_subject(subject, "hcct")
    trace, profile = record(subject, binary), path_of(subject, "sampled.bin")
    replay(trace, profile, "--mode=cct")
    exact, _, _ = samples.load(profile)
    top = samples.hottest(exact)
    runs = []
    for number, period in zip((1, 3, 4, 5), PERIODS):
        replay(trace, profile, "--mode=cct", f"--burst=1/{period}")
        runs.append((number, f"each {period}th call" if period > 1 else "every call", samples.load(profile)[0]))
    found, _, _ = samples.run(subject, binary, "mode=cct:sample=calls:edges=all-new:period=59", profile)
    runs.insert(1, (2, "each 59th call, all new edges", found))
    os.remove(trace)
    yield report.table(["figure", "what is sampled", "correlation"],
                       [[number, title, f"{statistics.correlation([exact[path] for path in top], [counts.get(path, 0) for path in top]):.3f}"]
                        for number, title, counts in runs]) + "\n"
    for number, title, counts in runs:
        largest = max(counts.get(path, 0) for path in top)
        groups = {str(place + 1) if place % 5 == 4 or not place else " " * place:
                  [100 * exact[path] / exact[top[0]], 100 * counts.get(path, 0) / largest] for place, path in enumerate(top)}
        yield figure(f"edges-{number}", charts.bar_chart(f"The {TOP} hottest edges: {title}", charts.Axis("calls, % of the hottest", 0, 100), "edge of the CCT", groups,
                                                         ["CCT", "samples"]))


HEAD = """The figures of the papers that need several profiles of one run, on our programs; the others are in [accuracy.md](accuracy.md).

"""
EDGES = """### Arnold and Sweeney, figures 1 to 5

Duktape on one round of its script; the 40 edges of the CCT that are called most, and what samples find of them, each in % of its own hottest. A sample is each period-th call of the
trace, and counts for the last edge alone. In the second figure it counts for all edges that are new since the last sample (`edges=all-new`, of a run): there
the paper sees no correlation.

"""


def main():
    parser = argparse.ArgumentParser(prog="bench/lab/replays.py", description="Draws the papers' figures from traces.")
    parser.add_argument("--print", action="store_true")
    parser.add_argument("--build", default=shell.HCCT, help="the folder where hcct was built (build)")
    options = parser.parse_args()
    lab.use_build(os.path.abspath(options.build), True)
    pictures = lab.FOLDER if options.print else shell.source("docs", "replay")
    os.makedirs(pictures, exist_ok=True)

    def figure(name, drawing):
        with open(os.path.join(pictures, name + ".svg"), "w", encoding="utf-8") as file:
            file.write(drawing)
        return f"![{name}](replay/{name}.svg)\n\n"

    results = {subject.name: measure(subject) for subject in subjects()}
    text = HEAD + table(results) + "".join(figures(results, figure)) + EDGES + "".join(edges(figure)).rstrip() + "\n"
    print(text, end="")
    if not options.print:
        shell.write_document(shell.source("docs", "replay.md"), text, "replays")


if __name__ == "__main__":
    main()
