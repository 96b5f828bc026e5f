"""How good estimates from sampled calls are: Arnold and Sweeney (2000), on Duktape.

The 40 contexts (edges of the calling context tree) that are called most, and what is found of them from samples of the same trace, by each kind and period.

    python3 lab/figures/samples.py          writes the table in docs/lab.md; some minutes
    python3 lab/figures/samples.py --print  prints only
"""
import argparse
import json
import os
import subprocess
import sys

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), *parts) for parts in (("..", "..", "bench"), ())]
import lab
import shell

TOP = 40
PERIODS = [1, 59, 307, 1559]
KINDS = ["calls", "calls-per-function"]


def load(path):
    """Each context's count, by its path of functions and sites; and N, and how many calls were counted."""
    done = subprocess.run([os.path.join(shell.HCCT, "bin", "hcct-decode"), "--all", "--format=json", path], stdout=subprocess.PIPE, check=True)
    profile, paths, found = json.loads(done.stdout), [], {}
    for node in profile["nodes"]:
        above = paths[node["parent"]] if node["parent"] >= 0 else ()
        paths.append(hash((above, profile["frames"][node["frame"]]["linkage"], node["site"] and node["site"]["id"])))
        if node["count"]:
            found[paths[-1]] = node["count"]
    estimate = profile.get("estimate")
    return found, profile["calls"], estimate["observed"] if estimate else profile["calls"]


def hottest(counts):
    return sorted(counts, key=lambda path: -counts[path])[:TOP]


def row(title, truth, found):
    exact, all_calls, _ = truth
    counts, calls, samples = found
    top = hottest(exact)
    errors = [abs(counts.get(path, 0) / exact[path] - 1) for path in top]
    same = len(set(top) & set(hottest(counts)))
    cells = [title, f"{samples:,}", f"{calls / all_calls:.3f}", f"{same}", f"{100 * sum(errors) / TOP:.1f}%", f"{100 * max(errors):.0f}%",
             f"{len(set(counts) & set(exact)) / len(exact):.1%}"]
    return "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(prog="lab/figures/samples.py", description="Measures estimates from sampled calls.")
    parser.add_argument("--print", action="store_true")
    parser.add_argument("--build", default=shell.HCCT, help="the folder where hcct was built (build)")
    options = parser.parse_args()
    lab.use_build(os.path.abspath(options.build), True)
    path = os.path.join(lab.FOLDER, "samples.bin")
    trace = lab.trace(lab.Subject("duktape", lab.duktape("duktape.js")))

    def replay(*arguments):
        shell.run_quietly([os.path.join(shell.HCCT, "bin", "hcct-lab"), "replay", "--mode=cct", *arguments, "-o", path, trace])
        return load(path)

    truth = replay()
    lines = [f"| sampled | calls counted | N ÷ exact | of the {TOP} hottest | their mean error | the largest | contexts found |", "|---|" + "---:|" * 6,
             row("every call", truth, truth)]
    lines += [row(f"`{kind}/{period}`", truth, replay(f"--sample={kind}/{period}")) for kind in KINDS for period in PERIODS[1:]]
    os.remove(trace)
    lines += ["", f"Duktape 2.7 on `bench/workloads/duktape.js`: {truth[1]:,} calls in {len(truth[0]):,} contexts. Made by `python3 lab/figures/samples.py`."]
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if not options.print:
        shell.write_document(shell.source("docs", "lab.md"), text, "samples")


if __name__ == "__main__":
    main()
