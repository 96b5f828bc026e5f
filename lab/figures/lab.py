"""The laboratory's programs, how they are run, and what is measured of each for accuracy.md. main.py has the commands.

Every program is run with mode=cct once, and with mode=hcct for each phi and epsilon; the other algorithms replay a trace; hcct-lab metrics holds each of
these against the exact profile, shape.c measures the trees. Programs whose exact profile does not fit 4 GB are run with mode=hcct only.
Addresses are not randomised, so that all runs of a program are one run. Nothing here is timed.
"""
import functools
import json
import os
import re
import resource
import shlex
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
PHIS = ["1e-3", "1e-4", "1e-5"]                # with a profile each; epsilon = phi / 5
SHAPE_PHIS = ["1e-3", "1e-4", "1e-5", "1e-7"]  # of the exact tree
EPSILON_PARTS = [2, 5, 10]                     # epsilon = phi / part
TAUS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5]
CCT_LIMIT_BYTES = 4 << 30

FOLDER = os.path.join(shell.HCCT, "lab")


class Subject:
    """A program as the laboratory runs it. `full`: mode=cct is possible. `wide`: so many contexts that each comparison takes
    its time: one epsilon only, no heights. `long`: other epsilons for the first algorithm only. `by_construction`: every call is a context of its own."""

    def __init__(self, name, program, real=False, wide=False, full=True, by_construction=False, stands_for=None, workload="lab", long=False):
        self.name, self.given, self.real, self.wide, self.workload = name, program, real, wide, workload
        self.full, self.by_construction, self.stands_for, self.long = full, by_construction, stands_for, long

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


def duktape(script):
    """As in the benchmark, without its own random numbers, which time and addresses seed."""
    program = programs.duktape()
    program.name = "duktape-fixed"
    program.flags += ["-include", shell.source("test", "real", "Inputs", "duktape-fixed.h")]
    program.workloads = {"lab": Workload(shell.source("bench", "workloads", script))}
    return program


def subjects(quick):
    if quick:
        return [Subject("parser", own("parser", "3")), Subject("fib", own("fib", "14", "1"), by_construction=True)]
    return [
        Subject("duktape", duktape("duktape.js"), real=True),
        Subject("sqlite", programs.sqlite, real=True),
        Subject("libsass", programs.libsass, real=True, workload="short", long=True),
        Subject("objdump", programs.objdump, real=True, workload="short", long=True),
        Subject("nested", duktape("nested.js"), real=True, wide=True),
        Subject("chess", own("chess", "6", "7"), long=True),
        Subject("virtual", programs.PROGRAMS["virtual"](), workload="short", long=True),
        Subject("layers", own("layers", "7000000", suffix=".cpp"), long=True),
        Subject("parser", own("parser", "300")),
        Subject("dispatch", own("dispatch", "20000")),
        Subject("fib", own("fib", "23", "1"), by_construction=True),
        Subject("knapsack", own("knapsack", "18"), by_construction=True),
        Subject("fib 38", own("fib", "37", "1"), full=False, by_construction=True, stands_for="fib"),
        Subject("knapsack 27", own("knapsack", "27"), full=False, by_construction=True, stands_for="knapsack"),
    ]


def build_subject(subject, how):
    try:
        return build(subject.program, how).path
    except BuildError as error:
        shell.fail(f"{subject.name}: {error}")


# --- running -----------------------------------------------------------------------------------


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (CCT_LIMIT_BYTES, CCT_LIMIT_BYTES))


def run(subject, binary, options, name, environment=(), limit=None):
    """The path of the profile that a run leaves, and what it said on stderr."""
    path = os.path.join(FOLDER, name)
    if os.path.exists(path):
        os.remove(path)
    variables = dict(os.environ, LC_ALL="C", HCCT_OPTIONS=f"output='{path}':{options}", **dict(environment))
    script = (subject.stdin or "").encode()
    done = subprocess.run(["setarch", "-R", binary] + subject.arguments, cwd=FOLDER, env=variables, input=script,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=limit, check=False)
    if done.returncode:
        shell.fail(f"{binary} with {options}: status {done.returncode}, {done.stderr.decode(errors='replace')}")
    return path, done.stderr.decode(errors="replace")


def output_of(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        shell.fail(f"{shlex.join(command)}: status {done.returncode}")
    return json.loads(done.stdout)


def shape(path, phis=SHAPE_PHIS):
    return output_of([os.path.join(shell.HCCT, "lab", "hcct_lab_shape"), path] + [str(phi) for phi in phis])


def size(path):
    """What the documents tell of a bounded profile."""
    told = shape(path)
    return {name: told[name] for name in ("calls", "epsilon", "memory_bytes", "nodes")}


def comparison(exact, hot, phi):
    taus = ",".join(str(tau) for tau in TAUS)
    return output_of([os.path.join(shell.HCCT, "bin", "hcct-lab"), "metrics", "--format=json", f"--phi={phi}", f"--tau={taus}", exact, hot])


def build_tools():
    shell.run_quietly(["cmake", "--build", shell.HCCT, "--target", "hcct_lab_shape", "hcct_lab_queues"])


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


def plan(subject):
    """(algorithm, phi, epsilon = phi / part) of each bounded run."""
    runs = [(algorithm, PHI, 5) for algorithm in ALGORITHMS]
    runs += [(ALGORITHMS[0], float(phi), 5) for phi in PHIS if float(phi) != PHI]
    if not subject.wide:
        runs += [(algorithm, PHI, part) for part in EPSILON_PARTS if part != 5 for algorithm in ALGORITHMS[:1 if subject.long else None]]
    return runs if subject.full else runs[:1]


def mined(subject, binary, recorded, algorithm, phi, epsilon):
    """The path of a bounded profile: of a run with the runtime's algorithm, or of a trace that is replayed."""
    if algorithm == ALGORITHMS[0]:
        return run(subject, binary, f"phi={phi:g}:epsilon={epsilon:g}", "hot.bin")[0]
    path = os.path.join(FOLDER, "hot.bin")
    shell.run_quietly([os.path.join(shell.HCCT, "bin", "hcct-lab"), "replay", f"--algorithm={algorithm}", f"--phi={phi:g}", f"--epsilon={epsilon:g}", "-o", path, recorded])
    return path


def measure_bounded(subject, binary, exact):
    results, recorded = [], trace(subject, "4G") if subject.full else None
    for algorithm, phi, part in plan(subject):
        print(f"{subject.name}: {algorithm}, phi {phi:g}, epsilon phi/{part}", file=sys.stderr)
        hot = mined(subject, binary, recorded, algorithm, phi, phi / part)
        result = {"algorithm": algorithm, "phi": phi, "part": part, "shape": size(hot)}
        if exact:
            metrics = result["metrics"] = comparison(exact, hot, phi)
            if metrics["calls_exact"] != metrics["calls_hot"]:
                shell.fail(f"{subject.name} does not do the same in every run: {metrics['calls_exact']} and {metrics['calls_hot']} calls")
        results.append(result)
    if recorded:
        os.remove(recorded)
    return results


def measure_heights(subject):
    """What heights.c found, after a check that its tree has as many contexts as the profile of the same run."""
    if subject.wide or not subject.full:
        return None
    binary = build_subject(subject, "heights")
    path = os.path.join(FOLDER, "heights.json")
    profile, _ = run(subject, binary, "mode=cct", "heights.bin", [("HCCT_SHADOW_FILE", path)])
    heights = json.loads(shell.read(path))
    if heights["contexts"] != shape(profile)["contexts"]:
        shell.fail(f"{subject.name}: {heights['contexts']} contexts by the stack, {shape(profile)['contexts']} by the profile of that run")
    return heights


def measure(subject):
    binary = build_subject(subject, "hcct")
    exact = None
    title = f"{subject.program.title}: {' '.join(os.path.basename(word) for word in subject.arguments)}"
    title += ", SQL from bench/workloads" if subject.stdin else ""
    result = {"name": subject.name, "title": title, "real": subject.real,
              "by_construction": subject.by_construction, "stands_for": subject.stands_for, "exact": None, "limited": None}
    if subject.full:
        print(f"{subject.name}: exact", file=sys.stderr)
        exact, _ = run(subject, binary, "mode=cct", "exact.bin")
        result["exact"] = shape(exact)
        if subject.by_construction and result["exact"]["nodes"] != result["exact"]["calls"]:
            shell.fail(f"{subject.name}: not every call is a context of its own; the compiler took one away")
    result["heights"] = measure_heights(subject)
    result["bounded"] = measure_bounded(subject, binary, exact)
    return result


def measure_limit():
    """mode=cct on fib(37) in 4 GiB: what it dropped, or what the runtime said if it left no profile. 2 Fib(38) - 1 calls, and main."""
    subject = Subject("fib 37", own("fib", "36", "1"))
    path, said = run(subject, build_subject(subject, "hcct"), "mode=cct", "limited.bin", limit=limit_memory)
    dropped = shape(path)["dropped"] if os.path.exists(path) else None
    return {"calls": 2 * 39088169, "said": said.strip(), "dropped": dropped}


def use_build(folder, part):
    """Where hcct was built, and where what is made here goes: not to the data of a whole run, if this is none."""
    global FOLDER
    shell.use_build(folder)
    FOLDER = os.path.join(folder, "lab-part" if part else "lab")
    HOOK["heights"] = shell.source("lab", "figures", "heights.c")
    BUILDS["heights"] = Build(hcct(environment=["HCCT_SHADOW=1"]), hook="heights", hcct=True)
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
