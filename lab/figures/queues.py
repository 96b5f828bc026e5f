"""Space Saving with three queues on recorded streams: time, instructions and memory (D'Elia et al., SPE 2015, section 4.2).

Each stream is the first calls of a program, from a trace. queues.c runs it through an algorithm, a call an update. Instructions are counted by callgrind,
without those of reading the stream: these and the bytes are the same on every machine. Times are taken in turns, in random order, in each round.
"""
import json
import math
import os
import random
import statistics
import sys

import lab
import shell

ALGORITHMS = ["space-saving", "space-saving-lazy", "space-saving-bucket"]
CALLS = 3_000_000
WEIGHTED_CALLS = 1_000_000
WEIGHTS = 1000
COUNTED_CALLS = 150_000  # under callgrind
EPSILON = 2e-5
ROUNDS = 4
T_95 = 3.182  # Student's t for ROUNDS - 1


def command(path, calls, weights, algorithms):
    return [os.path.join(shell.HCCT, "lab", "hcct_lab_queues"), path, str(calls), str(EPSILON), str(weights), *algorithms]


def instructions(path, weights, algorithm):
    total, told = lab.callgrind(command(path, COUNTED_CALLS, weights, [algorithm]), dict(os.environ), ["--toggle-collect=play"])
    return total / json.loads(told)[0]["calls"]


def measure_stream(path, calls, weights):
    """A dictionary for each algorithm."""
    empty = instructions(path, weights, "none")
    found = {algorithm: {"instructions": instructions(path, weights, algorithm) - empty, "ns": [], "ratio": []} for algorithm in ALGORITHMS}
    for _ in range(ROUNDS):
        order = random.sample(["none", *ALGORITHMS], len(ALGORITHMS) + 1)
        results = dict(zip(order, lab.output_of(command(path, calls, weights, order))))
        times = {algorithm: 1e9 * result["seconds"] / result["calls"] for algorithm, result in results.items()}
        for algorithm, one in found.items():
            one["result"] = results[algorithm]
            one["ns"].append(times[algorithm] - times["none"])
            one["ratio"].append((times[algorithm] - times["none"]) / (times[ALGORITHMS[0]] - times["none"]))
    return found


def interval(values):
    """The mean, with the half width of its 95% interval."""
    return statistics.mean(values), T_95 * statistics.stdev(values) / math.sqrt(len(values))


def rows(name, weights, found):
    lines = []
    for algorithm in ALGORITHMS:
        one = found[algorithm]
        result, (ratio, half) = one["result"], interval(one["ratio"])
        share = 1e6 / result["total"]
        title = f"{name}, {'weights of 1' if weights == 1 else f'1 to {weights}'}"
        cells = [title, f"{result['calls'] / 1e6:.1f}", f"{result['contexts']:,}", f"`{algorithm}`", f"{result['bytes'] / 1e6:.1f}", f"{one['instructions']:.0f}",
                 f"{statistics.mean(one['ns']):.0f}", "1" if algorithm == ALGORITHMS[0] else f"{ratio:.2f} ± {half:.2f}", f"{result['mean_error'] * share:.2f}",
                 f"{result['largest_error'] * share:.2f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def subjects():
    """By name, in the table's order. Few contexts, more than counters, and nearly every one new."""
    chosen = {subject.name: subject for subject in lab.subjects(False)}
    found = [chosen[name] for name in ("duktape", "layers", "nested")] + [lab.Subject("fib", lab.own("fib", "29", "1"))]
    return {subject.name: subject for subject in found}


def names():
    return list(subjects())


def measure_one(subject):
    streams, path = [], lab.trace(subject)
    for weights, calls in ((1, CALLS), (WEIGHTS, WEIGHTED_CALLS)) if subject.name == "nested" else ((1, CALLS),):
        print(f"{subject.name}: queues, weights up to {weights}", file=sys.stderr)
        streams.append([subject.name, weights, measure_stream(path, calls, weights)])
    os.remove(path)
    return streams


def measure(chosen, known):
    """Of these programs; the others keep what they have."""
    streams = [stream for stream in known or [] if stream[0] not in chosen]
    streams += [stream for name in chosen for stream in measure_one(subjects()[name])]
    return [stream for name in names() for stream in streams if stream[0] == name]


def section(streams):
    titles = ["stream", "calls, millions", "contexts", "algorithm", "MB", "instructions", "ns", "time, paired", "mean error, millionths of N", "largest"]
    lines = ["| " + " | ".join(titles) + " |", "|---|---:|---:|---|" + "---:|" * 6]
    for stream in streams:
        lines += rows(*stream)
    return ("## The three queues of Space Saving (SPE, section 4.2)\n\n" + "\n".join(lines)
            + f"\n\nThe first {CALLS // 1_000_000} million calls of each program, or all that are in its trace; phi = 1e-4, epsilon = phi/5. "
              f"Instructions and ns: of an update, without reading the stream; instructions of the first {COUNTED_CALLS:,}. Time, paired: the ratio to `{ALGORITHMS[0]}` in the same round, "
              f"mean of {ROUNDS} rounds with its 95% interval. MB, instructions and errors are the same on every machine.\n")
