"""The laboratory's programs, how they are run, and what is measured of each for docs/lab/tables.md. main.py has the commands.

A run of each program is recorded once. hcct-lab replay makes the profiles of that run by each algorithm, with bursts and samples; hcct-lab metrics holds
them against the exact one; hcct-lab shape measures the trees. Nothing here is timed. The runs are short, mostly of 2 to 30 million calls.
Addresses are not randomised, so that runs of a program are one run. Bursts and samples by time are not the same in two traces.
"""
import functools
import json
import os
import re
import shlex
import statistics
import subprocess
import sys

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench")]
import names
import programs
import shell
from build import BuildError, build
from programs import Workload, own_program
from variants import BUILDS, HOOK, Build, hcct

ALGORITHMS = names.of("ALGORITHM")
PHI = 1e-4
PHIS = ["1e-2", "1e-3", "1e-4", "1e-5", "1e-7"]
PAPER = "space-saving-lazy"  # of the paper's figures
LOW = ("lossy-counting", "sticky-sampling")  # which as published answer by f
EPSILON_PARTS = [2, 5, 10, 20]               # epsilon = phi / part
TAUS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5]
BURST = "200/2000us"  # the paper's, of figure 5
ONE_IN = 20           # of adaptive bursting

FOLDER = os.path.join(shell.HCCT, "lab")


class Subject:
    """A program as the laboratory runs it."""

    def __init__(self, name, program, real=False, workload="lab"):
        self.name, self.given, self.real, self.workload = name, program, real, workload

    @functools.cached_property
    def program(self):
        """Made when it is needed: some are configured first."""
        return self.given() if callable(self.given) else self.given

    @functools.cached_property
    def arguments(self):
        return self.program.workloads[self.workload].arguments

    @functools.cached_property
    def stdin(self):
        return self.program.workloads[self.workload].stdin


def own(name, *arguments, suffix=".c"):
    return own_program(name, *arguments, suffix=suffix)()


def duktape(script, rounds=None):
    """As in the benchmark, without its own random numbers, which time and addresses seed."""
    program = programs.duktape()
    program.name = "duktape-fixed"
    program.flags += ["-include", shell.source("test", "real", "Inputs", "duktape-fixed.h")]
    program.workloads = {"lab": Workload(*([programs.rounds_file(rounds)] if rounds else []), script)}
    return program


def with_workload(program, workload):
    program.workloads["lab"] = workload
    return program


def nested(pieces):
    """Its script with fewer pieces."""
    text, path = shell.read(shell.source("bench", "workloads", "nested.js")), os.path.join(shell.BUILD, "nested.js")
    shell.write(path, text.replace("piece < 300;", f"piece < {pieces};"))
    return duktape(path)


def subjects(quick):
    if quick:
        return [Subject("parser", own("parser", "3")), Subject("fib", own("fib", "14", "1"))]
    workload = lambda name: shell.source("bench", "workloads", name)
    return [
        Subject("duktape", duktape(workload("duktape.js"), 4), real=True),
        Subject("sqlite", lambda: with_workload(programs.sqlite(), Workload(":memory:", stdin=programs.sqlite_script(6000, 10))), real=True),
        Subject("libsass", lambda: with_workload(programs.libsass(), Workload(workload("styles.scss"))), real=True),
        Subject("objdump", programs.objdump, real=True, workload="tiny"),
        Subject("nested", nested(20), real=True),
        Subject("chess", own("chess", "5", "5")),
        Subject("virtual", own("virtual", "2500", suffix=".cpp")),
        Subject("layers", own("layers", "500000", suffix=".cpp")),
        Subject("parser", own("parser", "100")),
        Subject("dispatch", own("dispatch", "3000")),
        Subject("fib", own("fib", "23", "1")),
        Subject("knapsack", own("knapsack", "15")),
    ]


def build_subject(subject, how):
    try:
        return build(subject.program, how).path
    except BuildError as error:
        shell.fail(f"{subject.name}: {error}")


# --- running -----------------------------------------------------------------------------------


def run(subject, binary, options, name):
    """The path of the profile that a run leaves, and what it said on stderr."""
    path = os.path.join(FOLDER, name)
    if os.path.exists(path):
        os.remove(path)
    variables = dict(os.environ, LC_ALL="C", HCCT_OPTIONS=f"output='{path}':{options}")
    script = (subject.stdin or "").encode()
    done = subprocess.run(["setarch", "-R", binary] + subject.arguments, cwd=FOLDER, env=variables, input=script,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        shell.fail(f"{binary} with {options}: status {done.returncode}, {done.stderr.decode(errors='replace')}")
    return path, done.stderr.decode(errors="replace")


def output_of(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        shell.fail(f"{shlex.join(command)}: status {done.returncode}")
    return json.loads(done.stdout)


def lab(*words):
    return output_of([os.path.join(shell.HCCT, "bin", "hcct-lab"), *words])


def shape(path, phis=()):
    return lab("shape", path, *phis)


def path_of(name):
    return os.path.join(FOLDER, name)


def replay(recorded, name, *options):
    """What --facts tells; the profile is FOLDER/name."""
    return lab("replay", "--facts", "-o", path_of(name), *options, recorded)


def metrics(phi=PHI, taus=TAUS, low=False):
    """Of hot.bin, against exact.bin."""
    taus = ",".join(f"{tau:.9g}" for tau in taus)
    return lab("metrics", "--format=json", f"--phi={phi:g}", f"--tau={taus}", *(["--low"] if low else []), path_of("exact.bin"), path_of("hot.bin"))


def build_tools():
    shell.run_quietly(["cmake", "--build", shell.HCCT, "--target", "hcct_lab_queues"])


def trace(subject):
    """The path of the program's trace."""
    path = os.path.join(FOLDER, f"{subject.name}.trace")
    run(subject, build_subject(subject, "hcct"), f"trace='{path}'", "traced.bin")
    return path


def callgrind(command, environment, what=(), stdin=None):
    """Instructions of a run, and what it printed."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *what, *command]
    done = subprocess.run(command, env=environment, input=(stdin or "").encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    found = re.search(rb"Collected : (\d+)", done.stderr)
    if done.returncode or not found:
        shell.fail(f"{shlex.join(command)}: status {done.returncode}, {done.stderr.decode(errors='replace')}")
    return int(found[1]), done.stdout


# --- measuring ---------------------------------------------------------------------------------


def trace_bytes(recorded):
    """Of the calls alone: without the profile at the end."""
    total, at, end = 0, 16, os.path.getsize(recorded)
    with open(recorded, "rb") as file:
        while at < end:
            file.seek(at)
            header = file.read(32)
            kind, size = int.from_bytes(header[:4], "little"), int.from_bytes(header[16:24], "little")
            total += size if kind == 1 else 0
            at += 32 + (size + 7) // 8 * 8
    return total


def mined(recorded, algorithm, phi, part, *options):
    return replay(recorded, "hot.bin", f"--algorithm={algorithm}", f"--phi={phi:g}", f"--epsilon={phi / part:g}", *options)


def measure_algorithm(recorded, algorithm):
    facts = mined(recorded, algorithm, PHI, 5)
    return {"facts": facts, "metrics": metrics(), "low": metrics(low=True) if algorithm in LOW else None}


def measure_bursts(recorded, tau):
    """Bursts alone, with Space Saving, and adaptive ones. `tau`: the least that Space Saving without bursts covers wholly."""
    taus = [tau * times for times in (1, 2, 4)] + [0.1]
    exact = ["--mode=cct", f"--burst={BURST}"]
    found = {}
    for name, measure_one in (("bursts", lambda: replay(recorded, "hot.bin", *exact)), ("both", lambda: mined(recorded, PAPER, PHI, 5, f"--burst={BURST}")),
                              ("adaptive", lambda: replay(recorded, "hot.bin", *exact, f"--one-in={ONE_IN}"))):
        facts = measure_one()
        hot = metrics(taus=[min(tau, 1) for tau in taus])
        found[name] = {"facts": facts, "metrics": hot, "all": metrics(phi=0, taus=[0.1])}
    return found


def measure(subject):
    print(f"{subject.name}: trace", file=sys.stderr)
    binary, recorded = build_subject(subject, "hcct"), trace(subject)
    title = f"{subject.program.title}: {' '.join(os.path.basename(word) for word in subject.arguments)}"
    title += ", SQL from bench/workloads" if subject.stdin else ""
    full = replay(recorded, "exact.bin", "--mode=cct")
    exact = shape(path_of("exact.bin"), PHIS)
    memory = {mode: shape(run(subject, binary, f"mode={mode}", "run.bin")[0])["memory_bytes"] for mode in ("hcct", "cct")}
    algorithms = {algorithm: measure_algorithm(recorded, algorithm) for algorithm in ALGORITHMS}
    default = algorithms[PAPER]
    peaks = [(phi, default["facts"]["peak_nodes"] if phi == PHI else mined(recorded, PAPER, phi, 5)["peak_nodes"]) for phi in map(float, PHIS[:4])]
    positives = [(part, default["metrics"] if part == 5 else (mined(recorded, PAPER, PHI, part), metrics())[1]) for part in EPSILON_PARTS]
    bursts = measure_bursts(recorded, next(tau for phi, tau in exact["tau"] if phi == PHI))
    bits = 8 * trace_bytes(recorded) / full["calls"]
    os.remove(recorded)
    return {"name": subject.name, "title": title, "real": subject.real, "bits": bits, "full": full, "exact": exact, "memory": memory, "algorithms": algorithms,
            "peaks": peaks, "positives": positives, "bursts": bursts}


# --- Arnold and Sweeney, on Duktape ------------------------------------------------------------

TOP = 40  # edges of the calling context tree that are called most, as in their figures
SAMPLES = [("1", "every call", []), ("2", "each 59th call, all new edges", ["--sample=calls/59", "--frames=all"])]
SAMPLES += [(figure, f"each {period}th call", [f"--sample=calls/{period}"]) for figure, period in (("3", 59), ("4", 307), ("5", 1559))]
SAMPLES += [("", f"each 59th call, new edges of {frames} frames (Whaley's K)", ["--sample=calls/59", f"--frames={frames}"]) for frames in (2, 4, 8)]
SAMPLES += [("", f"each {period}th call of a function", [f"--sample=calls-per-function/{period}"]) for period in (59, 1559)]
SAMPLES += [("", f"the call after each {period} us", [f"--sample=time/{period}"]) for period in (10, 100, 1000)]


def counts_of(name):
    """Each context's count, by its path of functions and sites."""
    done = subprocess.run([os.path.join(shell.HCCT, "bin", "hcct-decode"), "--all", "--format=json", path_of(name)], stdout=subprocess.PIPE, check=True)
    profile, paths, found = json.loads(done.stdout), [], {}
    for node in profile["nodes"]:
        above = paths[node["parent"]] if node["parent"] >= 0 else ()
        paths.append(hash((above, profile["frames"][node["frame"]]["linkage"], node["site"] and node["site"]["id"])))
        if node["count"]:
            found[paths[-1]] = node["count"]
    return found


def hottest(counts):
    return sorted(counts, key=lambda path: -counts[path])[:TOP]


def measure_samples():
    recorded, rows, exact = trace(subjects(False)[0]), [], None
    for figure, title, options in SAMPLES:
        facts, counts = replay(recorded, "hot.bin", "--mode=cct", *options), counts_of("hot.bin")
        exact = exact or counts
        top, scale = hottest(exact), sum(exact.values()) / sum(counts.values())
        errors = [abs(counts.get(path, 0) * scale / exact[path] - 1) for path in top]
        rows.append([figure, title, facts["counted"], statistics.correlation([exact[path] for path in top], [counts.get(path, 0) for path in top]),
                     len(set(top) & set(hottest(counts))), statistics.mean(errors), len(set(counts) & set(exact)) / len(exact)])
    return rows


def use_build(folder, part):
    """Where hcct was built, and where what is made here goes: not to the data of a whole run, if this is none."""
    global FOLDER
    shell.use_build(folder)
    FOLDER = os.path.join(folder, "lab-part" if part else "lab")
    BUILDS["hcct-in-objects"] = Build(hcct(environment=["HCCT_LTO=compile"]), ["-flto"], hcct=True)
    for bits in (32, 64):
        HOOK[f"pcc{bits}"] = HOOK["pcc"]
        BUILDS[f"pcc{bits}"] = Build(hcct(environment=["HCCT_LTO=compile", "HCCT_SHADOW=1"]), ["-flto"], hook=f"pcc{bits}", objects="pcc32" if bits == 64 else None,
                                     hcct=True, hook_flags=["-flto", f"-DPCC_BITS={bits}"])
    os.makedirs(FOLDER, exist_ok=True)


def remove_profiles():
    for name in os.listdir(FOLDER):
        if name.endswith((".bin", ".trace")):
            os.remove(os.path.join(FOLDER, name))
