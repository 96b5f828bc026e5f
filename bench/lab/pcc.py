"""Probabilistic calling contexts (Bond and McKinley, OOPSLA 2007) beside hcct's: collisions, and instructions.

bench/peers/pcc_hook.c computes V' = 3 V + site in line, and counts each value. Its code stands beside hcct's in one binary, so its own instructions are
those of this binary less those of hcct's alone, both with counting=off. Everything is counted by callgrind, on two workloads of different length, so that
start and end do not matter. Contexts are those of the exact profile of the same run.
"""
import json
import os
import subprocess
import sys

import lab
import programs
import report
import shell


class Runs:
    """Two workloads to count instructions of, and one with many contexts."""

    def __init__(self, program, small, large, most):
        self.subject = lab.Subject(program.name, program, workload=most)
        self.small, self.large, self.most = (program.workloads[name] for name in (small, large, most))


def own(name, small, large, most, suffix=".c"):
    program = lab.own(name, suffix=suffix)
    program.workloads.update({"small": programs.Workload(*small.split()), "large": programs.Workload(*large.split()), "most": programs.Workload(*most.split())})
    return Runs(program, "small", "large", "most")


def with_rows(program):
    program.workloads["small"] = programs.Workload(":memory:", stdin=programs.sqlite_script(1000, 1))
    return program


def every_program():
    duktape = lab.duktape("duktape.js")
    duktape.workloads = programs.duktape().workloads
    return [Runs(duktape, "empty", "tiny", "short"), Runs(with_rows(programs.sqlite()), "small", "tiny", "short"), own("parser", "20", "40", "300"),
            own("dispatch", "1000", "3000", "20000"), own("chess", "3 4", "4 5", "5 6"), own("virtual", "300", "900", "6000", ".cpp"),
            own("layers", "2000", "6000", "300000", ".cpp")]


def environment(options, **more):
    return dict(os.environ, LC_ALL="C", HCCT_OPTIONS=f"output='{os.path.join(lab.FOLDER, 'pcc.bin')}':{options}", **more)


def stripped(binary):
    """A copy without debug information, which valgrind need not read."""
    copy = binary + "-stripped"
    subprocess.run(["strip", "-o", copy, binary], check=True)
    return copy


def instructions(binary, workload, options):
    return lab.callgrind([stripped(binary), *workload.arguments], environment(options), stdin=workload.stdin)[0]


def counted(binary, workload, **more):
    """Contexts and calls of a run, by its exact profile."""
    subprocess.run(["setarch", "-R", binary, *workload.arguments], env=environment("mode=cct", **more), input=(workload.stdin or "").encode(), stdout=subprocess.DEVNULL, check=True)
    shape = lab.shape(os.path.join(lab.FOLDER, "pcc.bin"))
    return shape["contexts"], shape["calls"]


def measure_one(runs):
    print(f"{runs.subject.name}: probabilistic calling contexts", file=sys.stderr)
    build = lambda how: lab.build_subject(runs.subject, how)
    found, path = {"name": runs.subject.name, "collisions": {}}, os.path.join(lab.FOLDER, "pcc.json")
    for bits in (32, 64):
        found["contexts"], _ = counted(build(f"pcc{bits}"), runs.most, PCC_STATISTICS=path)
        found["collisions"][str(bits)] = found["contexts"] - json.loads(shell.read(path))["values"]
    ours = build("hcct-in-objects")
    found["calls"] = counted(ours, runs.large)[1] - counted(ours, runs.small)[1]
    kinds = {"plain": (build("lto"), ""), "ids": (ours, "counting=off"), "exact": (ours, "mode=cct"), "both": (build("pcc32"), "counting=off")}
    for name, (binary, options) in kinds.items():
        found[name] = instructions(binary, runs.large, options) - instructions(binary, runs.small, options)
    return found


def measure():
    return [measure_one(runs) for runs in every_program()]


def row(found):
    added = {"pcc": found["both"] - found["ids"], "ids": found["ids"] - found["plain"], "exact": found["exact"] - found["plain"]}
    cells = [found["name"], report.count(found["contexts"]), report.count(found["collisions"]["32"]), f"{found['contexts'] ** 2 / 2 ** 33:.2g}", report.count(found["collisions"]["64"])]
    cells += [f"{added[name] / found['calls']:.1f}" for name in ("pcc", "ids", "exact")]
    cells += [f"{1 + added[name] / found['plain']:.2f}" for name in ("pcc", "ids", "exact")]
    return cells


def write(data):
    titles = ["program", "contexts", "collisions, 32 bits", "expected", "64 bits", "PCC with counts, instructions a call", "hcct's contexts alone", "hcct with exact counts",
              "PCC ÷ plain", "contexts alone ÷ plain", "exact ÷ plain"]
    text = report.table(titles, [row(found) for found in data])
    text += ("\nCollisions: contexts less different values; which ones collide depends on where the functions lie. Expected: n²/2³³, if values were random. Instructions: beyond those of `clang -O2 -flto`, which is plain; a call is "
             "an entry that is counted.\n")
    shell.write_document(shell.source("docs", "known.md"), text, "pcc")
