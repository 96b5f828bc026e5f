"""How well stack heights tell call paths, by hcct-heights, as Mytkowicz, Coughlin and Diwan measured it (OOPSLA 2009, section 9): of programs as
they are, and with frames enlarged by their random search and by our numbers. Prints the tables of docs/heights.md.

usage: heights.py [PROGRAM...]      of TRAINING; default: all

Addresses are not randomised. Nothing is timed: the cost of larger frames is counted by callgrind, on a small workload.
"""
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

import shell
from build import build
from programs import PROGRAMS, Workload, own_program
from variants import BUILDS, Build, clang, hcct

FOLDER = os.path.join(shell.BUILD, "heights")
HEIGHTS = os.path.join(shell.HCCT, "bin", "hcct-heights")
METHODS = ["random", "numbering"]
NO_TAILS = ["-fno-optimize-sibling-calls"]  # a tail call leaves no frame, so paths with and without it may have one height


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


def resized(program, plain, known, method, flags=()):
    """The program by the plan that the method makes of the known paths, and how many paths frames could tell at best."""
    text = shell.run_quietly([HEIGHTS, "plan", f"--method={method}", plain, known])
    path = os.path.join(FOLDER, f"{program.name}{'-calls' if flags else ''}-{method}-{hashlib.sha256(text.encode()).hexdigest()[:16]}")
    shell.write(path, text)
    name = os.path.basename(path)
    BUILDS[name] = Build(hcct(f"--hcct-heights={path}"), flags, hcct=True)
    frames = sum(line[0] != "#" for line in text.splitlines())
    return build(program, name).path, frames, int(re.search(r"no frames tell more than (\d+)", text).group(1))


def instructions(binary, workload):
    copy = os.path.join(FOLDER, os.path.basename(binary) + "-stripped")
    shutil.copy(binary, copy)
    subprocess.run(["strip", "-g", copy], check=True)
    said = run(copy, workload, {}, ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"])
    return int(re.search(r"Collected : (\d+)", said).group(1))


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
    data = {"title": program.title, "train": report(plain, train)["paths"], "offline": {"as it is": report(plain, ref)}, "online": {"as it is": report(plain, ref, train)}}
    base, cost = instructions(plain, training), {}
    for method in METHODS:
        binary, frames, best = resized(program, plain, ref, method)
        data["offline"][method], data["best"] = report(binary, ref), best
        cost[method] = (frames, instructions(binary, training) / base)
    BUILDS["no-tails"] = Build(clang, NO_TAILS)
    whole = build(program, "no-tails").path
    binary, frames, best = resized(program, whole, ref, "numbering", NO_TAILS)
    data["whole"] = {"as it is": report(whole, ref), "numbering": report(binary, ref), "best": best, "frames": frames,
                     "costs": [instructions(path, training) / base for path in (whole, binary)]}
    data["online"]["numbering"] = report(resized(program, plain, train, "numbering")[0], ref, train)
    data["cost"] = cost
    return data


def table(title, *columns):
    print(f"\n{title}\n\n| " + " | ".join(columns) + " |\n|---" + "|---:" * (len(columns) - 1) + "|")


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def print_tables(all_data):
    table("Paths (table 2), and how many of the measured input's paths have a pair of their own (figures 7 and 11).", "program", "training", "measured", "as it is", "random search",
          "numbers", "at best by frames")
    for data in all_data:
        offline = data["offline"]
        row(data["title"], data["train"], offline["as it is"]["paths"], *(share(offline[how], "precise") for how in ("as it is", *METHODS)), percent(data["best"], offline["as it is"]["paths"]))
    row("**average**", "", "", *(mean(all_data, lambda data, how=how: part(data["offline"][how], "precise")) for how in ("as it is", *METHODS)),
        mean(all_data, lambda data: data["best"] / data["offline"]["as it is"]["paths"]))
    table("The same with the map of another input (figures 9 and 12): as it is, and by numbers of that other input.", "program", "precise", "ambiguous", "incorrect", "missing", "precise, by numbers",
          "ambiguous", "incorrect", "missing")
    for data in all_data:
        row(data["title"], *(share(data["online"][how], kind) for how in ("as it is", "numbering") for kind in ("precise", "ambiguous", "incorrect", "missing")))
    row("**average**", *(mean(all_data, lambda data, how=how, kind=kind: part(data["online"][how], kind)) for how in ("as it is", "numbering")
                         for kind in ("precise", "ambiguous", "incorrect", "missing")))
    table("Without tail calls (`-fno-optimize-sibling-calls`). Stack and instructions: as ratios to the program with tail calls, as it is.", "program", "precise", "by numbers", "at best by frames", "frames",
          "stack", "instructions, as it is", "by numbers")
    for data in all_data:
        whole, before = data["whole"], data["offline"]["as it is"]["deepest_bytes"]
        row(data["title"], share(whole["as it is"], "precise"), share(whole["numbering"], "precise"), percent(whole["best"], whole["as it is"]["paths"]), whole["frames"],
            f"{whole['numbering']['deepest_bytes'] / before:.2f}", *(f"{cost:.4f}" for cost in whole["costs"]))
    table("Degree of ambiguity (figure 8), by numbers: paths whose pair at most so many share.", "program", "1", "2", "3", "5", "10", "lost")
    for data in all_data:
        numbers = data["offline"]["numbering"]
        row(data["title"], *(percent(numbers["up_to_degree"][degree - 1], numbers["paths"]) for degree in (1, 2, 3, 5, 10)), share(numbers, "lost"))
    table("What larger frames cost: the highest stack (table 4) and instructions, as ratios to the program as it is.", "program", "frames, random", "stack", "instructions", "frames, numbers", "stack",
          "instructions")
    for data in all_data:
        before = data["offline"]["as it is"]["deepest_bytes"]
        row(data["title"], *(cell for how in METHODS for cell in (data["cost"][how][0], f"{data['offline'][how]['deepest_bytes'] / before:.2f}", f"{data['cost'][how][1]:.4f}")))


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    names = sys.argv[1:] or list(TRAINING)
    for name in names:
        if name not in TRAINING:
            shell.fail(f"no program {name}")
    print_tables([measure(name) for name in names])


if __name__ == "__main__":
    main()
