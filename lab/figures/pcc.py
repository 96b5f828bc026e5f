"""Probabilistic calling contexts (Bond and McKinley, OOPSLA 2007) beside hcct's: collisions, instructions and times.

bench/peers/pcc_hook.c computes V' = 3 V + site in line, and counts each value if it is asked to. Collisions: of a binary that has hcct's code, too, as
contexts are those of the exact profile of the same run. Instructions: by callgrind, on two workloads of different length, so that start and end do not
matter. Times: processor time; each variant runs right before or after plain, and a ratio is that of these two runs (bench/pairs.py).
"""
import json
import math
import os
import statistics
import subprocess
import sys

import lab
import pairs
import programs
import report
import shell


ROUNDS = 8
T_95 = 2.365  # Student's t for ROUNDS - 1
KINDS = {"plain": ("lto", ""), "values": ("pcc-values", "counting=off"), "pcc": ("pcc", "counting=off"), "ids": ("hcct-in-objects", "counting=off"),
         "exact": ("hcct-in-objects", "mode=cct")}


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


def duktape():
    program = lab.duktape("duktape.js")
    program.workloads = programs.duktape().workloads
    return Runs(program, "empty", "tiny", "short")


SUBJECTS = {"duktape": duktape, "sqlite": lambda: Runs(with_rows(programs.sqlite()), "small", "tiny", "short"), "parser": lambda: own("parser", "20", "40", "300"),
            "dispatch": lambda: own("dispatch", "1000", "3000", "20000"), "chess": lambda: own("chess", "3 4", "4 5", "5 6"),
            "virtual": lambda: own("virtual", "300", "900", "6000", ".cpp"), "layers": lambda: own("layers", "2000", "6000", "300000", ".cpp")}


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


def seconds(binary, workload, options):
    """Processor time."""
    script = os.path.join(lab.FOLDER, "stdin")
    shell.write(script, workload.stdin or "")
    with open(script, "rb") as stdin:
        child = subprocess.Popen(["setarch", "-R", binary, *workload.arguments], env=environment(options), stdin=stdin, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        shell.fail(f"{binary}: status {child.returncode}")
    return usage.ru_utime + usage.ru_stime


def ratios(binaries, workload):
    """Of each kind, one for each round."""
    kinds = [kind for kind in KINDS if kind != "plain"]
    rounds = [pairs.run_round({"plain": kinds}, number, lambda kind: seconds(binaries[kind], workload, KINDS[kind][1])) for number in range(ROUNDS)]
    return {kind: pairs.ratios(pairs.pairs_of(rounds, kind, "plain"), float) for kind in kinds}


def measure_one(name):
    print(f"{name}: probabilistic calling contexts", file=sys.stderr)
    runs = SUBJECTS[name]()
    build = lambda how: lab.build_subject(runs.subject, how)
    found, path = {"name": name, "collisions": {}}, os.path.join(lab.FOLDER, "pcc.json")
    for bits in (32, 64):
        found["contexts"], _ = counted(build(f"pcc{bits}"), runs.most, PCC_STATISTICS=path)
        found["collisions"][str(bits)] = found["contexts"] - json.loads(shell.read(path))["values"]
    binaries = {kind: build(how) for kind, (how, _) in KINDS.items()}
    found["calls"] = counted(binaries["ids"], runs.large)[1] - counted(binaries["ids"], runs.small)[1]
    for kind, (_, options) in KINDS.items():
        found[kind] = instructions(binaries[kind], runs.large, options) - instructions(binaries[kind], runs.small, options)
    found["times"] = ratios(binaries, runs.most)
    return found


def names():
    return list(SUBJECTS)


def measure(chosen, known):
    """Of these programs; the others keep what they have."""
    found = {one["name"]: one for one in known or []}
    found.update((name, measure_one(name)) for name in chosen)
    return [found[name] for name in SUBJECTS if name in found]


def interval(values):
    return f"{statistics.mean(values):.2f} ± {T_95 * statistics.stdev(values) / math.sqrt(len(values)):.2f}"


def collisions(found):
    return [found["name"], report.count(found["contexts"]), report.count(found["collisions"]["32"]), f"{found['contexts'] ** 2 / 2 ** 33:.2g}", report.count(found["collisions"]["64"])]


def costs(found):
    kinds = [kind for kind in KINDS if kind != "plain"]
    cell = lambda kind, value: value(kind) if kind in found else "–"
    return [found["name"], *(cell(kind, lambda kind: f"{(found[kind] - found['plain']) / found['calls']:.1f}") for kind in kinds),
            *(interval(found["times"][kind]) if "times" in found else "–" for kind in kinds)]


def write(data):
    kinds = ["PCC", "PCC, counted", "hcct's contexts", "hcct, exact counts"]
    text = report.table(["program", "contexts", "collisions, 32 bits", "expected", "64 bits"], [collisions(found) for found in data])
    text += ("\nCollisions: contexts less different values; which ones collide depends on where the functions lie. Expected: n²/2³³, if values were random.\n\n")
    text += report.table(["program", *(f"{kind}: instructions a call" for kind in kinds), *(f"{kind}: time ÷ plain" for kind in kinds)],
                         [costs(found) for found in data])
    text += ("\nInstructions: beyond those of `clang -O2 -flto`, which is plain; a call is an entry that is counted. PCC and hcct's contexts alone count nothing: the first is what Sumner et al. "
             f"compare. Time: processor time on the workload whose contexts are above, mean of {ROUNDS} rounds with its 95% interval; start and end are in it. With PCC, tail calls are plain calls.\n")
    shell.write_document(shell.TABLES, text, "pcc")
