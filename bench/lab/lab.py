"""The papers' laboratory: how well bounded profiles stand for exact ones, on real programs and on our own.

Every program is run with mode=cct once, and with mode=hcct for each algorithm, phi and epsilon; hcct-compare holds each of
these against the exact profile, shape.c measures the trees. Programs whose exact profile does not fit 4 GB are run with mode=hcct only.
Addresses are not randomised, so that all runs of a program are one run. Nothing here is timed.

    scripts/lab                  everything, about half an hour; writes docs/accuracy.md and its figures
    scripts/lab --quick          two small programs; writes into build/lab-part
    scripts/lab --only=fib       measures this program again; the others' data are those of the last run (build/lab/data.json)
    scripts/lab --rewrite        writes the documents anew from these data
"""
import argparse
import json
import os
import resource
import shlex
import subprocess
import sys

sys.path[:0] = [os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]
import names
import programs
import report
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
        self.name, self.program, self.real, self.wide = name, program, real, wide
        self.arguments, self.stdin = program.workloads[workload].arguments, program.workloads[workload].stdin
        self.full, self.by_construction, self.stands_for, self.long = full, by_construction, stands_for, long


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
        Subject("sqlite", programs.sqlite(), real=True),
        Subject("libsass", programs.libsass(), real=True, workload="short", long=True),
        Subject("objdump", programs.objdump(), real=True, workload="short", long=True),
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


def shape(path):
    return output_of([os.path.join(shell.HCCT, "lab", "hcct_lab_shape"), path] + SHAPE_PHIS)


def comparison(exact, hot, phi):
    taus = ",".join(str(tau) for tau in TAUS)
    return output_of([os.path.join(shell.HCCT, "bin", "hcct-compare"), "--metrics", "--format=json", f"--phi={phi}", f"--tau={taus}", exact, hot])


def build_tools():
    shell.run_quietly(["cmake", "--build", shell.HCCT, "--target", "hcct_lab_shape"])


# --- measuring ---------------------------------------------------------------------------------


def plan(subject):
    """(algorithm, phi, epsilon = phi / part) of each bounded run."""
    runs = [(algorithm, PHI, 5) for algorithm in ALGORITHMS]
    runs += [(ALGORITHMS[0], float(phi), 5) for phi in PHIS if float(phi) != PHI]
    if not subject.wide:
        runs += [(algorithm, PHI, part) for part in EPSILON_PARTS if part != 5 for algorithm in ALGORITHMS[:1 if subject.long else None]]
    return runs if subject.full else runs[:1]


def measure_bounded(subject, binary, exact):
    results = []
    for algorithm, phi, part in plan(subject):
        print(f"{subject.name}: {algorithm}, phi {phi:g}, epsilon phi/{part}", file=sys.stderr)
        hot, _ = run(subject, binary, f"algorithm={algorithm}:phi={phi:g}:epsilon={phi / part:g}", "hot.bin")
        result = {"algorithm": algorithm, "phi": phi, "part": part, "shape": shape(hot)}
        if exact:
            metrics = result["metrics"] = comparison(exact, hot, phi)
            if metrics["calls_exact"] != metrics["calls_hot"]:
                shell.fail(f"{subject.name} does not do the same in every run: {metrics['calls_exact']} and {metrics['calls_hot']} calls")
        results.append(result)
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
    HOOK["heights"] = shell.source("bench", "lab", "heights.c")
    BUILDS["heights"] = Build(hcct(environment=["HCCT_SHADOW=1"]), hook="heights", hcct=True)
    os.makedirs(FOLDER, exist_ok=True)


def measure_all(chosen, everything, data, data_path):
    """Each program's data replaces what the last run had, and is kept at once."""
    known = {program["name"]: program for program in data["programs"]}
    for subject in chosen:
        known[subject.name] = measure(subject)
        data["programs"] = [known[other.name] for other in everything if other.name in known]
        with open(data_path, "w", encoding="utf-8") as file:
            json.dump(data, file)
    for name in os.listdir(FOLDER):
        if name.endswith(".bin"):
            os.remove(os.path.join(FOLDER, name))


def main():
    parser = argparse.ArgumentParser(prog="scripts/lab", description="Measures how well bounded profiles stand for exact ones.")
    parser.add_argument("--quick", action="store_true", help="two small programs; documents in build/lab-part")
    parser.add_argument("--rewrite", action="store_true", help="measure nothing, write the documents from the data of the last run")
    parser.add_argument("--only", help="measure these, separated by commas; of the others, the data of the last run are taken")
    parser.add_argument("--build", default=shell.HCCT, help="the folder where hcct was built (build)")
    options = parser.parse_args()
    use_build(os.path.abspath(options.build), options.quick)
    data_path = os.path.join(FOLDER, "data.json")
    data = {"command": "scripts/lab --quick" if options.quick else "scripts/lab", "programs": [], "limit": None}
    if options.rewrite or options.only:
        data = json.loads(shell.read(data_path))
    if not options.rewrite:
        build_tools()
        everything = subjects(options.quick)
        chosen = [subject for subject in everything if not options.only or subject.name in options.only.split(",")]
        if not options.quick and not options.only:
            data["limit"] = measure_limit()
        measure_all(chosen, everything, data, data_path)
    target = FOLDER if options.quick else shell.source("docs")
    met = report.write(data, target, ALGORITHMS, TAUS)
    print(f"{os.path.join(target, 'accuracy.md')}: {met}")


if __name__ == "__main__":
    main()
