"""How well stack heights tell call paths, by hcct-heights, as Mytkowicz, Coughlin and Diwan measured it (OOPSLA 2009, section 9): of programs as
they are, and by plans: of their random search, of larger frames by numbers, without some tail calls, and with wrapped calls.
Writes the tables of docs/heights.md, and draws its charts.

    heights.py                   all programs
    heights.py libsass chess     these again; the others' data stay (docs/heights/data.json)
    heights.py --untimed         all but figure 6: its times stay, if there are any
    heights.py --times libsass   only what is timed: figure 6. Leave the machine alone for that
    heights.py --rewrite         writes the document from the data

Addresses are not randomised. Costs are instructions, counted by callgrind on the training's workload. Timed are planning, and what figure 6
shows: runs with and without samples in turns, each pair with an environment of another size; processor time, so that others' work matters little.
"""
import argparse
import hashlib
import json
import math
import os
import random
import re
import shutil
import statistics
import struct
import subprocess
import sys

import charts
import shell
from build import build
from programs import PROGRAMS, Workload, own_program
from variants import BUILDS, Build, hcct

FOLDER = os.path.join(shell.BUILD, "heights")
HEIGHTS = os.path.join(shell.HCCT, "bin", "hcct-heights")
DATA = shell.source("docs", "heights", "data.json")
SAMPLER = os.path.join(shell.HCCT, "lib", "hcct", "libhcct_heights.so")
PLANS = {"random": "random", "frames": "frames", "tails": "tails", "plan": "calls"}  # HCCT_HEIGHTS_PLAN
BOUNDS = ["best", "best without tail calls", "best with wrapped calls"]
KINDS = ["precise", "ambiguous", "incorrect", "missing", "lost"]
PAIRS = 16
T_95 = 2.131  # Student's t for PAIRS - 1
CALLGRIND = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]


def duktape():
    program = PROGRAMS["duktape"]()
    program.name = "duktape-fixed"
    program.flags += ["-include", shell.source("test", "real", "Inputs", "duktape-fixed.h")]
    return program


def real_input(name):
    return shell.source("test", "real", "Inputs", name)


def object_file():
    """What objdump's own workload reads."""
    return PROGRAMS["objdump"]().workloads["tiny"].arguments[-1]


# The program, the training's workload, and the measured one.
TRAINING = {
    "duktape": lambda: (duktape(), Workload(real_input("duktape.js")), Workload(shell.source("bench", "workloads", "duktape.js"))),
    "sqlite": lambda: (PROGRAMS["sqlite"](), Workload(":memory:", stdin=shell.read(real_input("sqlite.sql"))), PROGRAMS["sqlite"]().workloads["lab"]),
    "objdump": lambda: (PROGRAMS["objdump"](), Workload("-d", "-t", object_file()), PROGRAMS["objdump"]().workloads["short"]),
    "libsass": lambda: (PROGRAMS["libsass"](), PROGRAMS["libsass"]().workloads["tiny"], PROGRAMS["libsass"]().workloads["short"]),
    "chess": lambda: (PROGRAMS["chess"](), Workload("4", "5"), Workload("5", "6")),
    "virtual": lambda: (PROGRAMS["virtual"](), Workload("300"), Workload("22000")),
    "parser": lambda: (own_program("parser", "300")(), Workload("30"), Workload("300")),
    "dispatch": lambda: (own_program("dispatch", "20000")(), Workload("2000"), Workload("20000")),
}


def start(binary, workload, variables, before, errors):
    """The process, with address randomisation off."""
    for name in ("disk.db", "samples"):  # the script of SQLite's training makes the first; the sampler takes no file that is there
        if os.path.exists(os.path.join(FOLDER, name)) and binary != HEIGHTS:
            os.remove(os.path.join(FOLDER, name))
    script = os.path.join(FOLDER, "stdin")
    shell.write(script, workload.stdin or "")
    with open(script, "rb") as stdin:
        return subprocess.Popen(["setarch", "-R", *before, binary, *workload.arguments], cwd=FOLDER, env=dict(os.environ, **variables), stdin=stdin,
                                stdout=subprocess.DEVNULL, stderr=errors)


def check(status, binary, said):
    if status not in (0, 1):  # the script of Duktape's training ends with an error
        shell.fail(f"{binary}: status {status}, {said[-400:]}")


def run(binary, workload, variables, before=()):
    """What it says on stderr."""
    child = start(binary, workload, variables, before, subprocess.PIPE)
    said = child.communicate()[1].decode(errors="replace")
    check(child.returncode, binary, said)
    return said


def processor_s(binary, workload, variables, before=()):
    child = start(binary, workload, variables, before, subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    check(child.returncode, binary, "")
    return usage.ru_utime + usage.ru_stime


def profile(binary, workload, name):
    path = os.path.join(FOLDER, name)
    run(binary, workload, {"HCCT_OPTIONS": f"mode=cct:output='{path}'"})
    return path


def report(binary, tested, train=None):
    return json.loads(shell.run_quietly([HEIGHTS, "report", "--format=json", *([f"--train={train}"] if train else []), binary, tested]))


def plan(binary, known, how, options=()):
    """The text of a plan, what its head says, and the processor time that making it took."""
    path = os.path.join(FOLDER, "plan")
    seconds = processor_s(HEIGHTS, Workload("plan", "-o", path, *options, binary, known), {"HCCT_HEIGHTS_PLAN": PLANS[how]})
    text = shell.read(path)
    head = " ".join(line.lstrip("# ") for line in text.splitlines() if line.startswith("#"))
    names = ["paths", "before", "after", "best", "best without tail calls", "best with wrapped calls", "stack before", "stack", "frames", "functions", "wraps"]
    return text, dict(zip(names, map(int, re.findall(r"(?<!-)\b\d+\b", head))), seconds=seconds)


def planned(program, text):
    """The program built by the plan."""
    path = os.path.join(FOLDER, f"{program.name}-{hashlib.sha256(text.encode()).hexdigest()[:16]}")
    shell.write(path, text)
    name = os.path.basename(path)
    BUILDS[name] = Build(hcct(environment=[f"HCCT_HEIGHTS={path}"]), (), hcct=True)
    return build(program, name).path


def collected(said):
    return int(re.search(r"Collected : (\d+)", said).group(1))


def instructions(binary, workload, variables):
    copy = os.path.join(FOLDER, os.path.basename(binary) + "-stripped")
    shutil.copy(binary, copy)
    subprocess.run(["strip", "-g", copy], check=True)
    return collected(run(copy, workload, variables, CALLGRIND))


def sample_cost():
    """Instructions of the sampler for a sample that a program takes itself."""
    binary, samples = os.path.join(FOLDER, "paths"), os.path.join(FOLDER, "samples")
    shell.run_quietly([shell.CLANG, "-O2", "-w", shell.source("test", "heights", "Inputs", "paths.c"), "-o", binary])
    said = run("/lib64/ld-linux-x86-64.so.2", Workload("--preload", SAMPLER, binary, "lst0123" * 300), {"HCCT_HEIGHTS_INTERVAL": "0", "HCCT_HEIGHTS_OUTPUT": samples},
               [*CALLGRIND, "--toggle-collect=hcct_heights_note"])
    with open(samples, "rb") as file:
        taken = struct.unpack("<3Q", file.read(24))[2]
    return collected(said) / taken


def lookup_cost(binary, known, workload):
    """Instructions of looking one sample up: of all different pairs that a run of the program left."""
    samples = os.path.join(FOLDER, "samples")
    run(binary, workload, {"HCCT_HEIGHTS_INTERVAL": "200", "HCCT_HEIGHTS_OUTPUT": samples}, ["env", f"LD_PRELOAD={SAMPLER}"])
    with open(samples, "rb") as file:
        file.read(544)
        different = sum(pc != 0 for pc, _, _ in struct.iter_unpack("<3Q", file.read()))
    said = run(HEIGHTS, Workload("infer", "-o", "/dev/null", binary, known, samples), {}, [*CALLGRIND, "--toggle-collect=hcct_infer"])
    return {"samples": different, "instructions": collected(said) / different}


def collect_times(plain, binary, workload):
    """Processor seconds of each pair: of the program as it is, and of the planned one while it is sampled."""
    pairs, numbers = [], random.Random(1)
    for _ in range(PAIRS):
        variables = {"HEIGHTS_PADDING": "x" * numbers.randrange(4096), "HCCT_HEIGHTS_OUTPUT": os.path.join(FOLDER, "samples")}
        kinds = {"plain": (plain, ["env"]), "collect": (binary, ["env", f"LD_PRELOAD={SAMPLER}"])}
        pairs.append({kind: processor_s(kinds[kind][0], workload, variables, kinds[kind][1]) for kind in numbers.sample(list(kinds), 2)})
    return [[pair["plain"], pair["collect"]] for pair in pairs]


def part(numbers, name):
    return numbers[name]["paths"] / numbers["paths"]


def percent(some, whole):
    return f"{100 * some / whole:.1f}%"


def share(numbers, name):
    return percent(numbers[name]["paths"], numbers["paths"])


def builds(name):
    """The program, its binary as it is and as the profiles need it, and the two profiles."""
    program, training, tested = TRAINING[name]()
    plain, instrumented = build(program, "plain").path, build(program, "hcct").path
    train, ref = (profile(instrumented, workload, f"{name}-{what}.bin") for workload, what in ((training, "train"), (tested, "ref")))
    return program, plain, instrumented, train, ref


def measure(name):
    _, training, tested = TRAINING[name]()
    program, plain, instrumented, train, ref = builds(name)
    text, said = {}, {}
    for how in PLANS:
        text[how], said[how] = plan(plain, ref, how)
    binary = planned(program, text["plan"])
    old = os.path.join(FOLDER, "old")
    shell.write(old, text["plan"])
    refined = planned(program, plan(binary, ref, "plan", [f"--refine={old}"])[0])
    base = instructions(plain, training, {})
    is_cpp = any(unit.path.endswith(("pp", ".cc")) for unit in program.units())
    return {"title": program.title, "language": "C++" if is_cpp else "C", "train": report(plain, train)["paths"], "plans": said,
            "offline": {"as it is": report(plain, ref), "plan": report(binary, ref), "refined": report(refined, ref)},
            "online": {"as it is": report(plain, ref, train), "plan": report(planned(program, plan(plain, train, "plan")[0]), ref, train)},
            "cost": instructions(binary, training, {}) / base, "lookup": lookup_cost(plain, ref, tested),
            "training cost": instructions(instrumented, training, {"HCCT_OPTIONS": "mode=cct:output=/dev/null"}) / base}


def measure_times(name, data):
    program, plain, _, _, ref = builds(name)
    return dict(data, times=collect_times(plain, planned(program, plan(plain, ref, "plan")[0]), TRAINING[name]()[2]))


# --- tables ------------------------------------------------------------------------------------


def table(*columns):
    return ["| " + " | ".join(map(str, columns)) + " |", "|---" + "|---:" * (len(columns) - 1) + "|"]


def row(*cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def by_language(all_data):
    """The programs of each language, as the paper takes them together."""
    for language in ("C", "C++"):
        if some := [data for data in all_data if data["language"] == language]:
            yield f"**average, {language}**", some


def mean(all_data, cell):
    return f"{100 * statistics.mean(cell(data) for data in all_data):.1f}%"


def offline_table(all_data):
    lines = table("program", "training", "measured", "as it is", "random search", "frames", "without tail calls", "with wrapped calls", "as built", "refined", "frames, at best", "without tail calls", "with wrapped calls")
    cells = [lambda data: part(data["offline"]["as it is"], "precise"), *(lambda data, how=how: data["plans"][how]["after"] / data["plans"][how]["paths"] for how in ("random", "frames", "tails", "plan")),
             *(lambda data, how=how: part(data["offline"][how], "precise") for how in ("plan", "refined")), *(lambda data, best=best: data["plans"]["plan"][best] / data["plans"]["plan"]["paths"] for best in BOUNDS)]
    lines += [row(data["title"], data["train"], data["plans"]["plan"]["paths"], *(f"{100 * cell(data):.1f}%" for cell in cells)) for data in all_data]
    return lines + [row(name, "", "", *(mean(some, cell) for cell in cells)) for name, some in by_language(all_data)]


def online_table(all_data):
    lines = table("program", *KINDS, "precise, by plan", *KINDS[1:])
    both = [(how, kind) for how in ("as it is", "plan") for kind in KINDS]
    lines += [row(data["title"], *(share(data["online"][how], kind) for how, kind in both)) for data in all_data]
    return lines + [row(name, *(mean(some, lambda data, how=how, kind=kind: part(data["online"][how], kind)) for how, kind in both)) for name, some in by_language(all_data)]


def costs_table(all_data):
    lines = table("program", "training", "lookup, instructions", "different samples", "planning, s", "random search, s", "frames", "functions without tail calls", "wrapped calls", "stack", "instructions")
    stack = lambda data: data["offline"]["plan"]["deepest_bytes"] / data["offline"]["as it is"]["deepest_bytes"]
    for data in all_data:
        plans = data["plans"]
        lines.append(row(data["title"], f"{data['training cost']:.2f}", f"{data['lookup']['instructions']:.0f}", data["lookup"]["samples"], f"{plans['plan']['seconds']:.1f}",
                         f"{plans['random']['seconds']:.1f}", plans["plan"]["frames"], plans["plan"]["functions"], plans["plan"]["wraps"], f"{stack(data):.2f}", f"{data['cost']:.4f}"))
    means = [statistics.geometric_mean(map(cell, all_data)) for cell in (lambda data: data["training cost"], stack, lambda data: data["cost"])]
    return lines + [row("**geometric mean**", f"{means[0]:.2f}", *7 * [""], f"{means[1]:.2f}", f"{means[2]:.4f}")]


def spread(values, middle):
    """Least, quartiles and greatest, of the median of the programs as they are."""
    low, half, high = statistics.quantiles(values, n=4, method="inclusive")
    return " ".join(f"{value / middle:.3f}" for value in (min(values), low, half, high, max(values)))


def times_table(all_data):
    lines = table("program", "median, s", "as it is", "plan, with samples", "added", "slower?")
    all_data = [data for data in all_data if "times" in data]
    for data in all_data:
        before, after = ([pair[place] for pair in data["times"]] for place in (0, 1))
        ratios, middle = [b / a for a, b in data["times"]], statistics.median(before)
        added, half = 100 * (statistics.mean(ratios) - 1), 100 * T_95 * statistics.stdev(ratios) / math.sqrt(len(ratios))
        lines.append(row(data["title"], f"{middle:.2f}", spread(before, middle), spread(after, middle), f"{added:+.2f}% ± {half:.2f}", "yes" if added > half else "NC"))
    if not all_data:
        return lines
    mean_ratio = statistics.geometric_mean(b / a for data in all_data for a, b in data["times"])
    return lines + [row("**geometric mean**", "", "", "", f"{100 * (mean_ratio - 1):+.2f}%", "")]


def document(all_data, sample):
    """The text, title by title."""
    titles = [("Paths (table 2), and how many of the measured input's paths have a pair of their own (figures 7 and 11); what a plan could reach at best.", offline_table),
              ("The same with the map of another input (figures 9 and 12): as it is, and by a plan of that other input. Lost: paths without a height, of which the paper does not tell.", online_table),
              ("Costs. *Training*, *lookup* and *planning* are the paper's table 3: instructions of the run that makes the map, as a ratio to the program as it is; of looking up one "
               "sample, its frame included; processor time of `hcct-heights plan`, on the machine of the last measurement. *Stack*: the highest one, as a ratio (table 4). *Instructions*: of the planned program, as a ratio.", costs_table),
              (f"What samples cost (figure 6): processor time of the planned program, sampled each millisecond of it, beside the program as it is, in {PAIRS} pairs; least, quartiles and greatest, of the median as "
               "it is. *Added* is the mean of the pairs, with its 95% interval; NC as in the paper: no significant slow-down.", times_table)]
    lines = [line for title, rows in titles for line in (title, "", *rows(all_data), "")]
    lines.append(f"A sample takes the sampler {sample:.0f} instructions; the kernel's signal is not counted.")
    return "\n".join(lines) + "\n"


# --- charts ------------------------------------------------------------------------------------


def draw(all_data, folder):
    os.makedirs(folder, exist_ok=True)
    axis = charts.Axis("of the paths (%)", 0, 100)
    offline = {data["title"]: [100 * part(data["offline"]["as it is"], "precise"), *(100 * data["plans"][how]["after"] / data["plans"][how]["paths"] for how in ("random", "frames")),
                               100 * part(data["offline"]["plan"], "precise")] for data in all_data}
    drawings = {"precise": charts.bar_chart("Precise paths, the map of the same input", axis, "", offline, ["as it is", "random search", "frames", "plan"]),
                "online": charts.bar_chart("Classes by plan, the map of another input", axis, "",
                                           {data["title"]: [100 * part(data["online"]["plan"], kind) for kind in KINDS] for data in all_data}, KINDS, stacked=True)}
    for name, how in (("degrees", "offline"), ("degrees-online", "online")):
        lines = {data["title"]: [(number + 1, 100 * count / data[how]["plan"]["paths"]) for number, count in enumerate(data[how]["plan"]["up_to_degree"])] for data in all_data}
        drawings[name] = charts.line_chart("Degree of ambiguity by plan, the map of " + ("the same input" if how == "offline" else "another input"), charts.Axis("degree", 1, 10), axis, lines)
    for name, drawing in drawings.items():
        shell.write(os.path.join(folder, name + ".svg"), drawing)


def write(data):
    """What was measured; where that is nothing, the document stays."""
    if not data["programs"]:
        return
    all_data = [data["programs"][name] for name in TRAINING if name in data["programs"]]
    shell.write_document(shell.source("docs", "heights.md"), document(all_data, data["sample"]), "heights")
    draw(all_data, os.path.dirname(DATA))


def keep(data):
    """A line for each program."""
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(data['programs'][name])}" for name in TRAINING if name in data["programs"])
    shell.write(DATA, f'{{"sample": {json.dumps(data["sample"])},\n"programs": {{\n{lines}\n}}}}\n')


def main():
    parser = argparse.ArgumentParser(prog="heights.py", description="Measures how well stack heights tell call paths, and writes docs/heights.md.")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=f"of {', '.join(TRAINING)} (default: all)")
    parser.add_argument("--times", action="store_true", help="measure again only what is timed (figure 6)")
    parser.add_argument("--untimed", action="store_true", help="measure again all but figure 6")
    parser.add_argument("--rewrite", action="store_true", help="measure nothing, write the document from the data")
    options = parser.parse_args()
    if unknown := set(options.programs) - set(TRAINING):
        parser.error(f"no program {', '.join(sorted(unknown))}")
    data = json.loads(shell.read(DATA)) if os.path.exists(DATA) else {"sample": None, "programs": {}}
    if not options.rewrite:
        shutil.rmtree(FOLDER, ignore_errors=True)
        os.makedirs(FOLDER)
        data["sample"] = sample_cost()
        for name in options.programs or TRAINING:
            print(f"{name}", file=sys.stderr)
            before = data["programs"].get(name, {})
            if not options.times:
                data["programs"][name] = dict(measure(name), **{"times": before["times"]} if "times" in before else {})
                keep(data)
            if not options.untimed:
                data["programs"][name] = measure_times(name, data["programs"][name])
                keep(data)
    write(data)


if __name__ == "__main__":
    main()
