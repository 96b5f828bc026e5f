"""Measures what profiling costs: user time of programs built by several profilers, as paired ratios to plain clang -O2.

Each round runs every variant of a program once, in a shuffled order, on one processor; a ratio is that of two runs of the
same round, and the tables show the median of the rounds' ratios. One round before them is not counted. Every
variant must print what the plain one prints. Builds are kept in build/bench and made again when hcct, a source or
the command changed.

    scripts/bench                       all programs, 5 rounds; writes the tables in docs/performance.md and README.md
    scripts/bench --rounds=9 sqlite     one program, 9 rounds
    scripts/bench --no-write            only prints
"""
import argparse
import datetime
import hashlib
import os
import platform
import random
import re
import shutil
import statistics
import subprocess
import sys

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(SOURCE, "build", "bench")
HCCT = os.path.join(SOURCE, "build")
BEGIN, END = "<!-- scripts/bench writes from here -->", "<!-- to here -->"

CLANG = "clang-19"
SQLITE = ("sqlite3@6.0.1", "sqlite3-6.0.1.tgz", "ab8d044a93e05bd031d7ea75547c7fa60387cdc259d27f93c0e3e2832c4b1df9")


class Variant:
    """A way to build and run a program."""

    def __init__(self, title, binary, compiler, options=None):
        self.title, self.binary, self.compiler, self.options = title, binary, compiler, options


HCCT_CC = [os.path.join(HCCT, "bin", "hcct-cc"), "-O2"]
VARIANTS = {
    "plain": Variant("clang -O2", "plain", [CLANG, "-O2"]),
    "hcct": Variant("hcct, mode=hcct", "hcct", HCCT_CC, "mode=hcct"),
    "cct": Variant("hcct, mode=cct", "hcct", HCCT_CC, "mode=cct"),
    "hook": Variant("clang -finstrument-functions-after-inlining + CCT", "hook",
                    [CLANG, "-O2", "-finstrument-functions-after-inlining"]),
    "gcc": Variant("gcc -O2", "gcc", ["gcc", "-O2"]),
    "gprof": Variant("gcc -O2 -pg", "gprof", ["gcc", "-O2", "-pg"]),
}


class Program:
    def __init__(self, name, sources, flags=(), libraries=(), arguments=(), stdin=None, title=None):
        self.name, self.sources, self.flags, self.libraries = name, sources, list(flags), list(libraries)
        self.arguments, self.stdin, self.title = list(arguments), stdin, title or name


def source(*parts):
    return os.path.join(SOURCE, *parts)


def own_program(name, *arguments):
    return lambda: Program(name, [source("bench", "programs", name + ".c")], arguments=arguments)


def duktape():
    return Program("duktape", [source("scripts", "demo.c"), "/usr/share/duktape/duktape.c"], ["-I/usr/share/duktape"], ["-lm"],
                   [source("bench", "workloads", "duktape.js")], title="Duktape 2.7")


def sqlite():
    folder = fetch_sqlite()
    queries = read(source("bench", "workloads", "sqlite_queries.sql"))
    script = read(source("bench", "workloads", "sqlite.sql")) + 28 * queries
    return Program("sqlite", [os.path.join(folder, "shell.c"), os.path.join(folder, "sqlite3.c")],
                   ["-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION", "-I" + folder], ["-lm"], [":memory:"],
                   script, title="SQLite 3.52")


PROGRAMS = {
    "duktape": duktape,
    "sqlite": sqlite,
    "parser": own_program("parser", "900"),
    "dispatch": own_program("dispatch", "250000"),
    "fib": own_program("fib", "29", "10"),
}


def fail(message):
    sys.exit(f"scripts/bench: {message}")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def run_quietly(command, **settings):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **settings)
    if done.returncode:
        fail(f"{' '.join(command)}:\n{done.stdout.decode(errors='replace')}")
    return done.stdout.decode(errors="replace")


# --- building ----------------------------------------------------------------------------------


def fetch_sqlite():
    """The amalgamation that a pinned npm package carries; fetched once."""
    package, archive, digest = SQLITE
    folder = os.path.join(BUILD, "sqlite-autoconf-3520000")
    if os.path.isfile(os.path.join(folder, "sqlite3.c")):
        return folder
    run_quietly(["npm", "pack", "--silent", package], cwd=BUILD)
    with open(os.path.join(BUILD, archive), "rb") as file:
        if hashlib.sha256(file.read()).hexdigest() != digest:
            fail(f"{archive} is not the one that was pinned")
    run_quietly(["tar", "xzf", archive, "--strip-components=2", "package/deps"], cwd=BUILD)
    run_quietly(["tar", "xzf", "sqlite-autoconf-3520000.tar.gz"], cwd=BUILD)
    return folder


def stamp(command, files):
    """What a build depends on."""
    state = hashlib.sha256(repr(command).encode())
    for path in files:
        with open(path, "rb") as file:
            state.update(file.read())
    return state.hexdigest()


def build(program, name):
    variant = VARIANTS[name]
    binary = os.path.join(BUILD, f"{program.name}-{variant.binary}")
    hook = [os.path.join(BUILD, "cct_hook.o")] if variant.binary == "hook" else []
    command = variant.compiler + program.flags + program.sources + hook + program.libraries + ["-o", binary]
    hcct = [os.path.join(HCCT, "lib", "hcct.so"), os.path.join(HCCT, "lib", "libhcct.a")] if variant.options else []
    now = stamp(command, program.sources + hook + hcct)
    if os.path.isfile(binary) and os.path.isfile(binary + ".stamp") and read(binary + ".stamp") == now:
        return binary
    print(f"Building {os.path.basename(binary)}", file=sys.stderr)
    run_quietly(command, cwd=BUILD)
    with open(binary + ".stamp", "w", encoding="utf-8") as file:
        file.write(now)
    return binary


# --- measuring ---------------------------------------------------------------------------------


def measure(program, variant, binary, processor):
    """(user seconds, output) of one run."""
    environment = dict(os.environ, LC_ALL="C")
    environment.pop("HCCT_OPTIONS", None)
    if variant.options:
        environment["HCCT_OPTIONS"] = variant.options
    folder = os.path.join(BUILD, "run")
    script, output = os.path.join(folder, "stdin"), os.path.join(folder, "stdout")
    with open(script, "w", encoding="utf-8") as file:
        file.write(program.stdin or "")
    with open(script, "rb") as stdin, open(output, "wb") as stdout:
        child = subprocess.Popen([binary] + program.arguments, cwd=folder, env=environment, stdin=stdin, stdout=stdout,
                                 preexec_fn=lambda: os.sched_setaffinity(0, {processor}))
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if status:
        fail(f"{binary} ended with status {child.returncode}")
    with open(output, "rb") as file:
        return usage.ru_utime, file.read()


def measure_program(program, names, rounds, processor):
    binaries = {name: build(program, name) for name in names}
    return measure_binaries(program, VARIANTS, binaries, rounds, processor)


def measure_binaries(program, variants, binaries, rounds, processor):
    """{variant: [user seconds of each round]}"""
    times, wanted = {name: [] for name in binaries}, None
    for number in range(rounds + 1):
        for name in random.sample(list(binaries), len(binaries)):
            seconds, output = measure(program, variants[name], binaries[name], processor)
            wanted = output if wanted is None else wanted
            if output != wanted:
                fail(f"{binaries[name]} printed something else than another variant did")
            if number:
                times[name].append(seconds)
        print(f"{program.name}: round {number} of {rounds}", file=sys.stderr)
    return times


def ratio(times, name, base):
    """Median of the rounds' ratios, and the least and greatest."""
    ratios = [one / other for one, other in zip(times[name], times[base])]
    return statistics.median(ratios), min(ratios), max(ratios)


# --- the table ---------------------------------------------------------------------------------


COLUMNS = [("hcct", "plain"), ("cct", "plain"), ("hook", "plain"), ("gprof", "gcc"), ("gprof", "plain")]
SHORT_COLUMNS = [("hcct", "plain"), ("hook", "plain"), ("gprof", "plain")]


def cell(times, name, base, spread):
    if name not in times or base not in times:
        return ""
    middle, least, greatest = ratio(times, name, base)
    return f"{middle:.2f} ({least:.2f}–{greatest:.2f})" if spread else f"{middle:.2f}"


def table(results, columns=COLUMNS, spread=True):
    titles = [VARIANTS[name].title + (" ÷ gcc -O2" if base == "gcc" else "") for name, base in columns]
    lines = ["| program | plain, s | " + " | ".join(titles) + " |", "|---|---:|" + "---:|" * len(columns)]
    for title, times in results:
        cells = " | ".join(cell(times, name, base, spread) for name, base in columns)
        lines.append(f"| {title} | {statistics.median(times['plain']):.2f} | {cells} |")
    return "\n".join(lines)


def processor_name():
    found = re.search(r"model name\s*: (.*)", read("/proc/cpuinfo"))
    return found.group(1) if found else platform.machine()


def report(results, rounds):
    first_line = lambda compiler: run_quietly([compiler, "--version"]).splitlines()[0]
    command = " ".join(["scripts/bench"] + sys.argv[1:])
    return (f"{table(results)}\n\n"
            f"Median of {rounds} interleaved rounds (least–greatest). {datetime.date.today()}, {processor_name()}, "
            f"{os.cpu_count()} processors, Linux {platform.release()}, {first_line(CLANG)}, {first_line('gcc')}, "
            f"made by `{command}`.\n")


def write_document(path, text):
    before, rest = read(path).split(BEGIN)
    _, after = rest.split(END)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{before}{BEGIN}\n{text}{END}{after}")


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench", description="Measures what profiling costs.")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=f"of {', '.join(PROGRAMS)} (default: all)")
    parser.add_argument("--rounds", type=int, default=5, help="measured rounds (5)")
    parser.add_argument("--variants", default=",".join(VARIANTS), help=f"of {','.join(VARIANTS)} (all); plain is always there")
    parser.add_argument("--no-write", action="store_true", help="leave the documents as they are")
    options = parser.parse_args()
    names = [name for name in VARIANTS if name == "plain" or name in options.variants.split(",")]
    for name in options.programs:
        if name not in PROGRAMS:
            parser.error(f"no program {name}")
    os.makedirs(os.path.join(BUILD, "run"), exist_ok=True)
    run_quietly([CLANG, "-O2", "-c", source("bench", "peers", "cct_hook.c"), "-o", os.path.join(BUILD, "cct_hook.o")])
    processor = max(os.sched_getaffinity(0))
    results = []
    for name in options.programs or PROGRAMS:
        program = PROGRAMS[name]()
        results.append((program.title, measure_program(program, names, options.rounds, processor)))
        print(table(results[-1:]))
    shutil.rmtree(os.path.join(BUILD, "run"))
    whole = not options.programs and len(names) == len(VARIANTS)
    text = report(results, options.rounds)
    print(f"\n{text}")
    if whole and not options.no_write:
        write_document(source("docs", "performance.md"), text)
        write_document(source("README.md"), table(results, SHORT_COLUMNS, spread=False) + "\n")


if __name__ == "__main__":
    main()
