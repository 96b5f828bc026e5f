"""Space Saving with three queues on recorded streams: time, instructions and memory (D'Elia et al., SPE 2015, section 4.2).

Each stream is the first calls of a program, from a trace. queues.c runs it through an algorithm, a call an update.
Instructions are counted by callgrind, without those of reading the stream. Times are taken in turns, in random order, in each round.

    python3 bench/lab/queues.py          writes the table in docs/algorithms.md; some 10 minutes
    python3 bench/lab/queues.py --print  prints only
"""
import argparse
import json
import math
import os
import random
import re
import statistics
import subprocess
import sys

sys.path[:0] = [os.path.dirname(os.path.dirname(os.path.abspath(__file__))), os.path.dirname(os.path.abspath(__file__))]
import lab
import shell

ALGORITHMS = ["space-saving", "space-saving-lazy", "space-saving-bucket"]
CALLS = 10_000_000
LIMIT = "24M"  # of a trace, where 10 million calls take less
COUNTED_CALLS = 2_000_000  # under callgrind
EPSILON = 2e-5
ROUNDS = 10
T_95 = 2.262  # Student's t for ROUNDS - 1


def record(subject):
    """The path of the program's trace."""
    path = os.path.join(lab.FOLDER, f"{subject.name}.trace")
    lab.run(subject, lab.build_subject(subject, "hcct"), f"trace='{path}':trace_limit={LIMIT}", "queues.bin")
    return path


def command(path, algorithm, weights, calls=CALLS):
    return [os.path.join(shell.HCCT, "lab", "hcct_lab_queues"), path, str(calls), algorithm, str(EPSILON), str(weights)]


def run(path, algorithm, weights):
    return lab.output_of(command(path, algorithm, weights))


def instructions(path, algorithm, weights):
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=play"]
    done = subprocess.run(valgrind + command(path, algorithm, weights, COUNTED_CALLS), stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
    return int(re.search(rb"Collected : (\d+)", done.stderr)[1]) / json.loads(done.stdout)["calls"]


def interval(values):
    """The mean, with the half width of its 95% interval."""
    return statistics.mean(values), T_95 * statistics.stdev(values) / math.sqrt(len(values))


def measure(path, weights):
    """A dictionary for each algorithm."""
    empty = instructions(path, "none", weights)
    found = {algorithm: {"instructions": instructions(path, algorithm, weights) - empty, "ns": [], "ratio": []} for algorithm in ALGORITHMS}
    for _ in range(ROUNDS):
        times = {}
        for algorithm in random.sample(["none", *ALGORITHMS], len(ALGORITHMS) + 1):
            result = run(path, algorithm, weights)
            times[algorithm] = result["seconds"] / result["calls"] * 1e9
            found.get(algorithm, {})["result"] = result
        for algorithm in ALGORITHMS:
            found[algorithm]["ns"].append(times[algorithm] - times["none"])
            found[algorithm]["ratio"].append((times[algorithm] - times["none"]) / (times[ALGORITHMS[0]] - times["none"]))
    return found


def rows(name, weights, found):
    lines = []
    for algorithm in ALGORITHMS:
        one = found[algorithm]
        result, (ratio, half) = one["result"], interval(one["ratio"])
        share = 1e6 / result["total"]
        title = f"{name}, {'weights of 1' if weights == 1 else f'1 to {weights}'}"
        cells = [title, f"{result['contexts']:,}", f"`{algorithm}`", f"{result['bytes'] / 1e6:.1f}", f"{one['instructions']:.0f}", f"{statistics.mean(one['ns']):.0f}",
                 "1" if algorithm == ALGORITHMS[0] else f"{ratio:.2f} ± {half:.2f}", f"{result['mean_error'] * share:.2f}", f"{result['largest_error'] * share:.2f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def subjects():
    return [lab.Subject("duktape", lab.duktape("duktape.js")), lab.Subject("nested", lab.duktape("nested.js")), lab.Subject("chess", lab.own("chess", "6", "7")),
            lab.Subject("virtual", lab.programs.PROGRAMS["virtual"](), workload="short"), lab.Subject("fib", lab.own("fib", "29", "1"))]


def main():
    parser = argparse.ArgumentParser(prog="bench/lab/queues.py", description="Measures Space Saving with three queues.")
    parser.add_argument("--print", action="store_true")
    parser.add_argument("--build", default=shell.HCCT, help="the folder where hcct was built (build)")
    options = parser.parse_args()
    lab.use_build(os.path.abspath(options.build), True)
    shell.run_quietly(["cmake", "--build", shell.HCCT, "--target", "hcct_lab_queues"])
    lines = ["| stream | contexts | algorithm | MB | instructions | ns | time, paired | mean error, millionths of N | largest |", "|---|---:|---|" + "---:|" * 6]
    for subject in subjects():
        path = record(subject)
        for weights in (1, 1000) if subject.name == "nested" else (1,):
            print(subject.name, weights, file=sys.stderr)
            lines += rows(subject.name, weights, measure(path, weights))
        os.remove(path)
    lines += ["", f"The first {CALLS:,} calls of each program, or all if there are fewer; phi = 1e-4, epsilon = phi/5. Instructions and ns: of an update, without reading the "
              f"stream; instructions of the first {COUNTED_CALLS:,}. Time, paired: the ratio to `{ALGORITHMS[0]}` in the same round, mean of {ROUNDS} rounds with its 95% interval."]
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if not options.print:
        shell.write_document(shell.source("docs", "algorithms.md"), text, "queues")


if __name__ == "__main__":
    main()
