"""How well stack heights tell call paths, by hcct-heights, as Mytkowicz, Coughlin and Diwan measured it (OOPSLA 2009, section 9): of programs as
they are, and by plans: of their random search, of larger frames by numbers, without some tail calls, and with wrapped calls as well. Prints the tables of
docs/heights.md, and draws its charts.

usage: heights.py [PROGRAM...]      of TRAINING; default: all

Addresses are not randomised. Nothing is timed: costs are instructions, counted by callgrind on the training's workload.
"""
import hashlib
import json
import os
import re
import shutil
import struct
import subprocess
import sys

import charts
import shell
from build import build
from programs import PROGRAMS, Workload, own_program
from variants import BUILDS, Build, clang, hcct

FOLDER = os.path.join(shell.BUILD, "heights")
HEIGHTS = os.path.join(shell.HCCT, "bin", "hcct-heights")
PLANS = {"random": ["--method=random"], "frames": ["--keep-tail-calls"], "tails": ["--keep-calls"], "plan": []}
KINDS = ["precise", "ambiguous", "incorrect", "missing"]
BOUNDS = ["best", "best without tail calls", "best with wrapped calls", "best with clones"]
DEGREES = [1, 2, 3, 5, 10]


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


def run(binary, workload, variables, before=()):
    if os.path.exists(os.path.join(FOLDER, "disk.db")):  # the script of SQLite's training makes it
        os.remove(os.path.join(FOLDER, "disk.db"))
    done = subprocess.run(["setarch", "-R", *before, binary, *workload.arguments], cwd=FOLDER, env=dict(os.environ, **variables), check=False,
                          input=(workload.stdin or "").encode(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode not in (0, 1):  # the script of Duktape's training ends with an error
        shell.fail(f"{binary}: status {done.returncode}, {done.stderr.decode(errors='replace')[-400:]}")
    return done.stderr.decode(errors="replace")


def profile(binary, workload, name):
    path = os.path.join(FOLDER, name)
    run(binary, workload, {"HCCT_OPTIONS": f"mode=cct:output='{path}'"})
    return path


def report(binary, tested, train=None):
    return json.loads(shell.run_quietly([HEIGHTS, "report", "--format=json", *([f"--train={train}"] if train else []), binary, tested]))


def plan(binary, known, how):
    """The text of a plan, and what its head says."""
    text = shell.run_quietly([HEIGHTS, "plan", *PLANS[how], binary, known])
    head = " ".join(line.lstrip("# ") for line in text.splitlines() if line.startswith("#"))
    names = ["paths", "before", "after", "best", "best without tail calls", "best with wrapped calls", "stack before", "stack", "frames", "functions", "wraps", "best with clones"]
    return text, dict(zip(names, map(int, re.findall(r"(?<!-)\b\d+\b", head))))


def planned(program, text):
    """The program built by the plan."""
    path = os.path.join(FOLDER, f"{program.name}-{hashlib.sha256(text.encode()).hexdigest()[:16]}")
    shell.write(path, text)
    name = os.path.basename(path)
    BUILDS[name] = Build(hcct(f"--hcct-heights={path}"), (), hcct=True)
    return build(program, name).path


def collected(said):
    return int(re.search(r"Collected : (\d+)", said).group(1))


def instructions(binary, workload, variables):
    copy = os.path.join(FOLDER, os.path.basename(binary) + "-stripped")
    shutil.copy(binary, copy)
    subprocess.run(["strip", "-g", copy], check=True)
    return collected(run(copy, workload, variables, ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]))


def sample_cost():
    """Instructions of the sampler for a sample that a program takes itself."""
    binary, samples = os.path.join(FOLDER, "paths"), os.path.join(FOLDER, "samples")
    shell.run_quietly([shell.CLANG, "-O2", "-w", shell.source("test", "heights", "Inputs", "paths.c"), "-o", binary])
    library = os.path.join(shell.HCCT, "lib", "hcct", "libhcct_heights.so")
    said = run("/lib64/ld-linux-x86-64.so.2", Workload("--preload", library, binary, "lst0123" * 300), {"HCCT_HEIGHTS_INTERVAL": "0", "HCCT_HEIGHTS_OUTPUT": samples},
               ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=hcct_heights_note"])
    with open(samples, "rb") as file:
        taken = struct.unpack("<3Q", file.read(24))[2]
    return collected(said) / taken


def mean(all_data, cell):
    """The average of the programs."""
    return f"{100 * sum(cell(data) for data in all_data) / len(all_data):.1f}%"


def part(numbers, name):
    return numbers[name]["paths"] / numbers["paths"]


def percent(some, whole):
    return f"{100 * some / whole:.1f}%"


def share(numbers, name):
    return percent(numbers[name]["paths"], numbers["paths"])


def measure(name):
    program, training, tested = TRAINING[name]()
    plain, instrumented = build(program, "plain").path, build(program, "hcct").path
    train, ref = (profile(instrumented, workload, f"{name}-{what}.bin") for workload, what in ((training, "train"), (tested, "ref")))
    text, said = {}, {}
    for how in PLANS:
        text[how], said[how] = plan(plain, ref, how)
    binary = planned(program, text["plan"])
    base = instructions(plain, training, {})
    return {"title": program.title, "train": report(plain, train)["paths"], "plans": said,
            "offline": {"as it is": report(plain, ref), "plan": report(binary, ref)},
            "online": {"as it is": report(plain, ref, train), "plan": report(planned(program, plan(plain, train, "plan")[0]), ref, train)},
            "cost": instructions(binary, training, {}) / base,
            "training cost": instructions(instrumented, training, {"HCCT_OPTIONS": "mode=cct:output=/dev/null"}) / base}


def table(title, *columns):
    print(f"\n{title}\n\n| " + " | ".join(map(str, columns)) + " |\n|---" + "|---:" * (len(columns) - 1) + "|")


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def print_offline(all_data):
    table("Paths (table 2), and how many of the measured input's paths have a pair of their own (figures 7 and 11); what a plan could reach at best.", "program", "training", "measured", "as it is",
          "random search", "frames", "without tail calls", "plan", "frames, at best", "without tail calls", "with wrapped calls", "with clones")
    for data in all_data:
        plans = data["plans"]
        row(data["title"], data["train"], plans["plan"]["paths"], share(data["offline"]["as it is"], "precise"), *(percent(plans[how]["after"], plans[how]["paths"]) for how in ("random", "frames", "tails")),
            share(data["offline"]["plan"], "precise"), *(percent(plans["plan"][best], plans["plan"]["paths"]) for best in BOUNDS))
    row("**average**", "", "", mean(all_data, lambda data: part(data["offline"]["as it is"], "precise")),
        *(mean(all_data, lambda data, how=how: data["plans"][how]["after"] / data["plans"][how]["paths"]) for how in ("random", "frames", "tails")),
        mean(all_data, lambda data: part(data["offline"]["plan"], "precise")),
        *(mean(all_data, lambda data, best=best: data["plans"]["plan"][best] / data["plans"]["plan"]["paths"]) for best in BOUNDS))


def print_online(all_data):
    table("The same with the map of another input (figures 9 and 12): as it is, and by a plan of that other input.", "program", *KINDS, "precise, by plan", *KINDS[1:])
    for data in all_data:
        row(data["title"], *(share(data["online"][how], kind) for how in ("as it is", "plan") for kind in KINDS))
    row("**average**", *(mean(all_data, lambda data, how=how, kind=kind: part(data["online"][how], kind)) for how in ("as it is", "plan") for kind in KINDS))


def print_degrees(all_data):
    table("Degree of ambiguity (figures 8 and 10), by plan: paths whose pair at most so many share; with the map of the same input, and of the other.", "program", *DEGREES, "lost",
          *(f"{degree}, other" for degree in DEGREES))
    for data in all_data:
        same, other = data["offline"]["plan"], data["online"]["plan"]
        row(data["title"], *(percent(same["up_to_degree"][degree - 1], same["paths"]) for degree in DEGREES), share(same, "lost"),
            *(percent(other["up_to_degree"][degree - 1], other["paths"]) for degree in DEGREES))


def print_costs(all_data):
    table("What a plan costs: the highest stack (table 4) and instructions, as ratios to the program as it is. What the training costs (table 3).", "program", "frames", "functions without tail calls", "wrapped calls",
          "stack", "instructions", "instructions of the training")
    for data in all_data:
        said = data["plans"]["plan"]
        row(data["title"], said["frames"], said["functions"], said["wraps"], f"{data['offline']['plan']['deepest_bytes'] / data['offline']['as it is']['deepest_bytes']:.2f}", f"{data['cost']:.4f}",
            f"{data['training cost']:.2f}")


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


def show(all_data, folder):
    for print_one in (print_offline, print_online, print_degrees, print_costs):
        print_one(all_data)
    print(f"\nA sample takes the sampler {sample_cost():.0f} instructions (table 3's lookup is made later; the kernel's signal is not counted).")
    draw(all_data, folder)


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    names = sys.argv[1:] or list(TRAINING)
    for name in names:
        if name not in TRAINING:
            shell.fail(f"no program {name}")
    show([measure(name) for name in names], shell.source("docs", "heights"))


if __name__ == "__main__":
    main()
