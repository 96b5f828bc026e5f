"""Rust programs that nobody here wrote: what profiling them costs, and whether each count is right.

    python3 bench/rust.py                            the table of docs/performance/tables.md
    python3 bench/rust.py --rounds=5 ripgrep         of these
    python3 bench/rust.py --check pulldown-cmark     tests and counts, no times

Each is built by `cargo build --release` and by `cargo hcct build --release`, from Debian's sources, with the crates that Debian installs in
/usr/share/cargo/registry, without a network. Checked: both builds print the same; the program's own tests have the same results under `cargo hcct test`
as under `cargo test`; the profile is sound; and each instrumented function has as many calls as callgrind counted in the same run. Status 1 if not.

scripts/install test brings what pulldown-cmark needs. The others and their tests need what `apt-get build-dep rust-ripgrep rust-fd-find rust-exa` brings, and
librust-diff-dev, librust-filetime-dev and librust-test-case-dev.
"""
import argparse
import collections
import datetime
import glob
import json
import os
import re
import shutil
import statistics
import subprocess
import sys

import misses
import pairs
import projects
import runs
import shell
from programs import Workload
from shell import fail, read, run_quietly, write
from variants import Variant

CRATES = "/usr/share/cargo/registry"
# What crates and programs of Debian 12 need for this rustc, and for the versions of crates that Debian has: file, what, by what.
PATCHES = {
    "tendril-0.4.0": [("src/tendril.rs", "#[repr(packed)]", "")],  # rustc refuses references into it (E0793)
    "pulldown-cmark": [("Cargo.toml", 'html5ever]\nversion = "0.25"', 'html5ever]\nversion = "0.26"'), ("Cargo.toml", 'rcdom]\nversion = "0.1"', 'rcdom]\nversion = "0.2"')],
    "ripgrep": [("Cargo.toml", 'simd-accel = ["grep/simd-accel"]', "")],
}
TITLES = {"plain": "`cargo build --release`", "hcct": "`cargo hcct`", "cct": "the same, `mode=cct`", "perf": "`perf record -g`", "callgrind": "callgrind"}
VARIANTS = {
    "plain": Variant(TITLES["plain"], "plain", None),
    "hcct": Variant(TITLES["hcct"], "hcct", options="mode=hcct"),
    "cct": Variant(TITLES["cct"], "hcct", options="mode=cct"),
    "perf": Variant(TITLES["perf"], "plain", command=["perf", "record", "-q", "--call-graph=fp", "-o", "perf.data"], needs="perf"),
    "callgrind": Variant(TITLES["callgrind"], "plain", command=["valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=callgrind.out"], needs="valgrind"),
}


# --- sources -----------------------------------------------------------------------------------


def folder_of(*parts):
    return os.path.join(shell.BUILD, "rust", *parts)


def patch(folder, name):
    for file, what, by in PATCHES.get(name, []):
        text = read(os.path.join(folder, file))
        if what not in text:
            fail(f"{folder}/{file} has no {what!r}")
        write(os.path.join(folder, file), text.replace(what, by))


def crates():
    """A folder that cargo takes for all crates there are."""
    folder = folder_of("crates")
    if not os.path.isdir(CRATES):
        fail(f"no {CRATES}: run scripts/install test")
    os.makedirs(folder, exist_ok=True)
    for name in set(os.listdir(CRATES)) - set(os.listdir(folder)):
        path = os.path.join(folder, name)
        if name not in PATCHES:
            os.symlink(os.path.join(CRATES, name), path)
            continue
        shutil.copytree(os.path.join(CRATES, name), path)
        patch(path, name)
    return folder


def make_source(name, package):
    """The program, and how cargo finds its crates."""
    source = folder_of(name, "source")
    if os.path.isdir(source):
        return source
    os.makedirs(folder_of(name, ".cargo"), exist_ok=True)
    write(folder_of(name, ".cargo", "config.toml"), f'[source.crates-io]\nreplace-with = "debian"\n[source.debian]\ndirectory = "{crates()}"\n[net]\noffline = true\n')
    new = source + ".new"
    shutil.rmtree(new, ignore_errors=True)
    if package:
        run_quietly(["dpkg-source", "--no-check", "-x", projects.debian_source(*package, whole=True), new])
    else:
        found = glob.glob(os.path.join(CRATES, name + "-[0-9]*"))
        if not found:
            fail(f"no {name} in {CRATES}: run scripts/install test")
        shutil.copytree(found[0], new)
    for lock in glob.glob(os.path.join(new, "Cargo.lock")):  # of other versions than Debian's
        os.unlink(lock)
    patch(new, name)
    os.rename(new, source)
    return source


class Program:
    """`package`: Debian's source package and its file; None: the crate is installed. `workload`: a function that gives the workload of a size in rounds."""

    def __init__(self, name, binary, package, workload, rounds):
        self.name, self.binary, self.package, self.workload, self.rounds = name, binary, package, workload, rounds

    def cargo(self, build, *arguments, check=True):
        """cargo of a build; what it prints and its status."""
        command = ["cargo"] if build == "plain" else [os.path.join(shell.HCCT, "bin", "cargo-hcct"), "hcct", "--keep=" + folder_of(self.name, "profiles")]
        environment = dict(os.environ, CARGO_TARGET_DIR=folder_of(self.name, build), HCCT_OPTIONS="", PATH=os.path.join(shell.HCCT, "bin") + ":" + os.environ["PATH"])
        done = subprocess.run([*command, *arguments, "--release"], cwd=make_source(self.name, self.package), env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False, text=True, errors="replace")
        if check and done.returncode:
            fail(f"{self.name}: cargo {arguments[0]}, {build}:\n{done.stderr}")
        return done

    def path(self, build):
        host = re.search(r"^host: (.*)", run_quietly(["rustc", "-vV"]), re.MULTILINE)[1]
        return folder_of(self.name, build, *([host] if build == "hcct" else []), "release", self.binary)


def repeated(paths, count, name):
    """A file with the texts of others, so many times."""
    path = folder_of(f"{name}-{count}")
    if not os.path.exists(path):
        write(path, count * "".join(read(path) for path in sorted(paths)))
    return path


def sources_of(name):
    return glob.glob(os.path.join(crates(), name + "-[0-9]*", "src", "*.rs"))


def folders(count):
    """Of some crates, so many times."""
    return count * sorted(os.path.join(crates(), name) for name in os.listdir(CRATES) if "r" <= name < "u")


PROGRAMS = {program.name: program for program in (
    Program("pulldown-cmark", "pulldown-cmark", None,
            lambda rounds: Workload("-T", "-F", "-S", "-L", "-P", "-H", stdin=rounds * read(folder_of("pulldown-cmark", "source", "README.md"))), {"short": 16000, "tiny": 40}),
    Program("ripgrep", "rg", ("rust-ripgrep", "rust-ripgrep_13.0.0-4.dsc"),
            lambda rounds: Workload("-j1", "-n", r"[A-Z]+_[a-z]+.*ion|impl.*\bfor", repeated(sources_of("regex"), rounds, "text")), {"short": 100, "tiny": 5}),
    Program("fd-find", "fd", ("rust-fd-find", "rust-fd-find_8.6.0-3.dsc"),
            lambda rounds: Workload("-j1", "-uu", r"^[a-m].*\.rs$", *folders(rounds)), {"short": 150, "tiny": 1}),
    # -l would have threads that nobody waits for at the end
    Program("exa", "exa", ("rust-exa", "rust-exa_0.10.1-4.dsc"),
            lambda rounds: Workload("-R", "--oneline", "--color=always", "--classify", "--sort=ext", *folders(rounds)), {"short": 60, "tiny": 1}),
)}


# --- counts ------------------------------------------------------------------------------------


def run_instrumented(program, folder):
    """The smallest workload under callgrind; the calls that both counted, by symbol."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    workload, out, profile = program.workload(program.rounds["tiny"]), os.path.join(folder, "callgrind.out"), os.path.join(folder, "ids.bin")
    with open(os.path.join(folder, "printed"), "wb") as printed:
        subprocess.run(["valgrind", "-q", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={out}", program.path("hcct"), *workload.arguments], check=True, stdout=printed,
                       input=(workload.stdin or "").encode(), cwd=folder, env=dict(os.environ, HCCT_OPTIONS=f"mode=cct:output={profile}"))
    told = json.loads(run_quietly([os.path.join(shell.HCCT, "bin", "hcct-decode"), "--format=json", "--all", profile]))
    ours = collections.Counter()
    for node in told["nodes"]:
        if node["count"]:
            ours[told["frames"][node["frame"]]["linkage"]] += node["count"]
    theirs = collections.Counter()
    for name, (calls, _) in misses.read(out)[0].items():
        theirs[re.sub(r"'\d+$", "", name)] += calls
    return told, ours, theirs


def compare(program):
    """What is wrong with a profile; the functions, contexts and calls of it."""
    folder = folder_of(program.name, "counted")
    told, ours, theirs = run_instrumented(program, folder)
    wrong = [f"{part}: {key} {value}" for part in ("dropped", "misplaced") for key, value in told[part].items() if value]
    names = collections.defaultdict(set)  # of an address: copies of functions are one function with several names
    for fields in (line.split(" ", 2) for line in run_quietly(["nm", "--defined-only", program.path("hcct")]).splitlines()):
        names[fields[0]].add(fields[2])
    same = {name: min(group) for group in names.values() for name in group}
    counted, expected = collections.Counter(), collections.Counter()
    for both, single in ((ours, counted), (theirs, expected)):
        for name, count in both.items():
            single[same.get(name, name)] += count
    wrong += [f"{name}: {counted[name]} calls, {expected[name]} by callgrind" for name in counted if counted[name] != expected[name]]
    # The program is compiled here, and its symbols are of rustc's default kind, unlike the library's.
    wrong += [f"{name}: none, {count} by callgrind" for name, count in expected.items() if name.startswith("_ZN") and count and name in same and not counted[name]]
    workload = program.workload(program.rounds["tiny"])
    plain = subprocess.run([program.path("plain"), *workload.arguments], input=(workload.stdin or "").encode(), stdout=subprocess.PIPE, check=True, cwd=folder).stdout
    with open(os.path.join(folder, "printed"), "rb") as printed:
        if printed.read() != plain:
            wrong.append("prints something else")
    return wrong, len(counted), len(told["nodes"]), sum(counted.values())


def results(text):
    return sorted(re.findall(r"^test (.*) \.\.\. (ok|FAILED|ignored)$", text, re.MULTILINE))


def compare_tests(program):
    """What is wrong; how many passed, and how many fail in both builds."""
    plain, ours = (results(program.cargo(build, "test", "--no-fail-fast", check=False).stdout) for build in ("plain", "hcct"))
    wrong = [f"test {name}: {result} in one build only" for name, result in sorted(set(plain) ^ set(ours))]
    if not plain:
        wrong.append("no test was run")
    return wrong, sum(result == "ok" for _, result in ours), sum(result == "FAILED" for _, result in ours)


# --- cost --------------------------------------------------------------------------------------


def measure(program, count):
    """Cells of the table: seconds of the plain build, and ratios to it; the same in instructions."""
    short, tiny = (program.workload(program.rounds[size]) for size in ("short", "tiny"))
    able = [name for name, variant in VARIANTS.items() if name != "plain" and (not variant.needs or shutil.which(variant.needs))]
    run = lambda name: runs.run(VARIANTS[name], program.path(VARIANTS[name].build), short)
    rounds = [pairs.run_round({"plain": [name for name in able if name != "callgrind"]}, number, run) for number in range(count)]
    rounds.append(pairs.run_round({"plain": ["callgrind"] if "callgrind" in able else []}, 0, run))
    user = lambda run: run.user
    cells = [f"{statistics.median(user(one) for one in pairs.runs_of(rounds, 'plain')):.2f} s"]
    for name in list(VARIANTS)[1:]:
        ratios = pairs.ratios(pairs.pairs_of(rounds, name, "plain"), user)
        cells.append(f"{statistics.median(ratios):.2f}" if ratios else "")
    counts = {name: runs.count_instructions(VARIANTS[name], program.path(VARIANTS[name].build), tiny)[0] for name in ("plain", "hcct")}
    return [*cells, f"{counts['hcct'] / counts['plain']:.2f}"]


def main():
    parser = argparse.ArgumentParser(prog="bench/rust.py", description="Builds, tests, compares and measures Rust programs.")
    parser.add_argument("program", nargs="*", choices=[[], *PROGRAMS], metavar="PROGRAM", help=", ".join(PROGRAMS))
    parser.add_argument("--check", action="store_true", help="counts and tests only")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--build", help="folder where hcct was built")
    options = parser.parse_args()
    if options.build:
        shell.use_build(os.path.abspath(options.build))
    titles = ["program", "own tests", "functions", "contexts", "calls, all as callgrind counts them"]
    titles += [] if options.check else [*TITLES.values(), "instructions, `cargo hcct`"]
    lines, failed = [f"| {' | '.join(titles)} |", "|---|" + (len(titles) - 1) * "---:|"], False
    print("\n".join(lines), flush=True)
    for program in [PROGRAMS[name] for name in options.program or PROGRAMS]:
        for build in ("plain", "hcct"):
            program.cargo(build, "build")
        wrong, functions, contexts, calls = compare(program)
        wrong_tests, passed, failing = compare_tests(program)
        tests = f"{passed} pass" + (f", {failing} fail in both" if failing else "")
        cells = [program.name, tests, f"{functions:,}", f"{contexts:,}", f"{calls:,}"] + ([] if options.check else measure(program, options.rounds))
        lines.append(f"| {' | '.join(cells)} |")
        print(lines[-1], flush=True)
        for line in wrong + wrong_tests:
            print(f"{program.name}: {line}", file=sys.stderr)
        failed |= bool(wrong + wrong_tests)
    if not options.check:
        lines += ["", f"Medians of {options.rounds} rounds. {datetime.date.today()}, {shell.processor_name()}, {shell.first_line(['rustc', '--version'])}, commit {shell.commit()}."]
        print("\n".join(lines[-2:]))
    if not options.program and not options.check and not failed:
        shell.write_document(shell.TABLES, "\n".join(lines) + "\n", "rust")
    sys.exit(failed)


if __name__ == "__main__":
    main()
