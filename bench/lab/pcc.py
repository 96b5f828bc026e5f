"""Probabilistic calling contexts (Bond and McKinley, OOPSLA 2007) beside hcct's: collisions, and instructions a call.

bench/peers/pcc_hook.c computes V' = 3 V + site in line, and counts each value. Its code stands beside hcct's in one binary, so its own instructions are
those of this binary less those of hcct's alone, both with counting=off. Everything is counted by callgrind, on two workloads of different length, so that
start and end do not matter. Contexts are those of the exact profile of the same run.

    python3 bench/lab/pcc.py          writes the table in docs/known.md; some minutes
    python3 bench/lab/pcc.py --print  prints only
"""
import argparse
import json
import os
import re
import subprocess
import sys

sys.path[:0] = [os.path.dirname(os.path.dirname(os.path.abspath(__file__))), os.path.dirname(os.path.abspath(__file__))]
import lab
import report
import shell
from variants import LTO, clang

COMPILE = ["-flto", "--hcct-lto=compile"]


def own(name, suffix, small, large, most):
    """A program, two workloads to count instructions of, and one with many contexts."""
    return name, shell.source("bench", "programs", name + suffix), small, large, most


PROGRAMS = [own("parser", ".c", ["20"], ["40"], ["300"]), own("dispatch", ".c", ["1000"], ["3000"], ["20000"]), own("chess", ".c", ["3", "4"], ["4", "5"], ["5", "6"]),
            own("virtual", ".cpp", ["300"], ["900"], ["6000"]), own("layers", ".cpp", ["2000"], ["6000"], ["300000"])]


def path(name, what):
    return os.path.join(lab.FOLDER, f"{name}.{what}")


def hook(bits):
    target = path(f"pcc{bits}", "o")
    shell.run_quietly([shell.CLANG, "-O2", "-flto", f"-DPCC_BITS={bits}", "-I" + shell.source("include"), "-c", shell.source("bench", "peers", "pcc_hook.c"), "-o", target])
    return target


def build(name, source, what, compiler, more, environment=()):
    target = path(name, what)
    command = ["env", *environment, *compiler, "-O2", "-w", *more, source, "-lm", "-o", target]
    shell.run_quietly(command)
    return target


def binaries(name, source):
    is_cpp = source.endswith(".cpp")
    ours = [os.path.join(shell.HCCT, "bin", "hcct-c++" if is_cpp else "hcct-cc")]
    found = {"plain": build(name, source, "plain", clang()[is_cpp], LTO), "hcct": build(name, source, "hcct", ours, COMPILE)}
    for bits in (32, 64):
        objects = ["-x", "none"] if is_cpp else []
        found[bits] = build(name, source, f"pcc{bits}", ours, [*COMPILE, *objects, hook(bits)], ["HCCT_SHADOW=1"])
    return found


def environment(options, **more):
    return dict(os.environ, LC_ALL="C", HCCT_OPTIONS=f"output='{path('pcc', 'bin')}':{options}", **more)


def instructions(binary, arguments, options):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", binary, *arguments]
    done = subprocess.run(command, env=environment(options), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True)
    return int(re.search(rb"Collected : (\d+)", done.stderr)[1])


def counted(binary, arguments, **more):
    """Contexts and calls of a run, by its exact profile."""
    subprocess.run(["setarch", "-R", binary, *arguments], env=environment("mode=cct", **more), stdout=subprocess.DEVNULL, check=True)
    shape = lab.shape(path("pcc", "bin"))
    return shape["contexts"], shape["calls"]


def row(name, source, small, large, most):
    print(name, file=sys.stderr)
    binary, collisions, values = binaries(name, source), {}, path("pcc", "json")
    for bits in (32, 64):
        contexts, _ = counted(binary[bits], most, PCC_STATISTICS=values)
        collisions[bits] = contexts - json.loads(shell.read(values))["values"]
    calls = counted(binary["hcct"], large)[1] - counted(binary["hcct"], small)[1]
    between = lambda what, options: (instructions(binary[what], large, options) - instructions(binary[what], small, options)) / calls
    plain, ids, exact, pcc = between("plain", ""), between("hcct", "counting=off"), between("hcct", "mode=cct"), between(32, "counting=off")
    cells = [name, report.count(contexts), report.count(collisions[32]), f"{contexts ** 2 / 2 ** 33:.2g}", report.count(collisions[64]), f"{pcc - ids:.1f}",
             f"{ids - plain:.1f}", f"{exact - plain:.1f}"]
    return "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(prog="bench/lab/pcc.py", description="Measures probabilistic calling contexts.")
    parser.add_argument("--print", action="store_true")
    parser.add_argument("--build", default=shell.HCCT, help="the folder where hcct was built (build)")
    options = parser.parse_args()
    lab.use_build(os.path.abspath(options.build), True)
    lab.build_tools()
    lines = ["| program | contexts | collisions, 32 bits | expected | 64 bits | PCC with counts, instructions a call | hcct's contexts alone | hcct with exact counts |",
             "|---|" + "---:|" * 7] + [row(*program) for program in PROGRAMS]
    text = "\n".join(lines) + ("\n\nCollisions: contexts less different values. Expected: n²/2³³, if values were random. Instructions: beyond those of `clang -O2 -flto`; a call is "
                               "an entry that is counted.\n")
    print(text, end="")
    if not options.print:
        shell.write_document(shell.source("docs", "known.md"), text, "pcc")


if __name__ == "__main__":
    main()
