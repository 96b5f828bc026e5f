"""Counts the pushes that a guide saves: how many calls pushed because of back edges and cut edges (bench/pushes.py), without a guide,
and with one that the compiler had. The guide is the exact profile of the first.

usage: guide.py [PROGRAM...]      of programs.py's; default: duktape, sqlite, and bench/programs/collector.c, also as collector-lto
"""
import os
import shutil
import sys

import shell
from programs import PROGRAMS, own_program
from pushes import count_pushes
from shell import BUILD, fail, run_quietly

FOLDER = os.path.join(BUILD, "guide")


def compile_program(program, name, options):
    run_quietly([os.path.join(shell.HCCT, "bin", "hcct-cc"), "-O2"] + options + program.flags + program.sources + program.libraries + ["-o", name], cwd=FOLDER)


def whole_collector():
    program = own_program("collector", "100")()
    program.flags, program.title = ["-flto"], "collector, -flto"
    return program


def run(program, binary, profile):
    script = os.path.join(FOLDER, "stdin")
    with open(script, "w", encoding="utf-8") as file:
        file.write(program.workloads["lab"].stdin or "")
    environment = f"HCCT_OPTIONS=mode=cct:output={profile}"
    run_quietly(["env", environment, "sh", "-c", f'exec ./{binary} "$@" < stdin > stdout', "sh"] + program.workloads["lab"].arguments, cwd=FOLDER)
    return count_pushes(os.path.join(FOLDER, profile))


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    print("| program | calls | pushes without a guide | guide when compiled |\n|---|---:|---:|---:|")
    programs = {**PROGRAMS, "collector": own_program("collector", "100"), "collector-lto": whole_collector}
    for name in sys.argv[1:] or ["duktape", "sqlite", "collector", "collector-lto"]:
        if name not in programs:
            fail(f"no program {name}")
        program = programs[name]()
        if not program.sources:
            fail(f"{name} is not compiled by one command")
        compile_program(program, "plain", [])
        results = [run(program, "plain", "plain.bin")]
        compile_program(program, "guided", ["--hcct-guide=plain.bin"])
        results.append(run(program, "guided", "guided.bin"))
        cells = " | ".join(str(result["back or cut edge"]) for result in results)
        print(f"| {program.title} | {sum(results[0].values())} | {cells} |", flush=True)


main()
