"""What hcct costs as programs grow: start-up, memory, profile size and decoding of generated programs of 100 to 100,000 functions,
numbering up to 1,000,000, and one workload on 1 to 64 threads. Writes docs/performance/tables.md and charts, and the data they are made of.

Start-up is the user and system time of a program that ends by a signal as the first thing in main, with and without hcct; the least of all
runs, which alternate. Instructions are those of finding and numbering the records, counted by callgrind.

    python3 bench/scale.py                     everything: most of it to compile
    python3 bench/scale.py --build-only        compiles only
    python3 bench/scale.py --largest=10000     only programs up to that size; prints, and writes nothing
    python3 bench/scale.py --rewrite           writes the document and charts again from the data
"""
import argparse
import datetime
import json
import os
import re
import resource
import shutil
import subprocess
import sys

import charts
import runs
import scale_program
import shell
from programs import own_program
from scale_program import HCCT, LTO, PLAIN

SIZES = [100, 1000, 10000, 30000, 100000]
LTO_LARGEST = 30000     # the link is one module: 100,000 functions would take minutes
NUMBERED = [100, 1000, 10000, 100000, 300000, 1000000]
THREADS = [1, 2, 4, 8, 16, 32, 64]
ROUNDS = 512            # of the threads' work, in all
DATA = shell.source("docs", "scale", "scale.json")


def environment(folder):
    return {"LC_ALL": "C", "HCCT_OPTIONS": f"output={os.path.join(folder, 'ids.bin')}"}


def spend(command, folder):
    """User and system milliseconds, and page faults."""
    with open(os.devnull, "wb") as nothing:
        child = os.posix_spawn(command[0], command, environment(folder), file_actions=[(os.POSIX_SPAWN_DUP2, nothing.fileno(), 1)])
    _, _, used = os.wait4(child, 0)
    return 1000 * (used.ru_utime + used.ru_stime), used.ru_minflt


def peak_mb(binary, folder):
    used = os.path.join(folder, "used")
    subprocess.run([runs.launcher(), used, runs.processors(1), binary], env=environment(folder), check=True)
    return int(shell.read(used).split()[3]) / 1024


def count_instructions(binary, folder):
    """In finding and numbering the records."""
    done = subprocess.run(["valgrind", "--tool=callgrind", "--collect-atstart=no", "--toggle-collect=hcct_discover_objects",
                           "--callgrind-out-file=/dev/null", binary], env=dict(os.environ, **environment(folder)), stderr=subprocess.PIPE, check=True)
    return int(re.search(rb"Collected : (\d+)", done.stderr)[1])


def measure_program(size, kinds, repeat):
    folder = os.path.join(shell.BUILD, "scale", str(size))
    binaries = {kind: scale_program.build(size, kind) for kind in kinds}
    started = {kind: [] for kind in kinds}
    for _ in range(repeat):
        for kind, (binary, _) in binaries.items():
            started[kind].append(spend([binary, "end"], folder))
    row = {"functions": size, "calls": binaries[PLAIN][1]}
    for kind, (binary, _) in binaries.items():
        found = {"start_ms": min(started[kind])[0], "faults": min(faults for _, faults in started[kind]),
                 "whole_ms": min(spend([binary], folder) for _ in range(repeat))[0], "peak_mb": peak_mb(binary, folder),
                 "file_mb": os.path.getsize(binary) / 2**20}
        if kind != PLAIN:
            profile = os.path.join(folder, "ids.bin")
            decode = [os.path.join(shell.HCCT, "bin", "hcct-decode"), profile]
            found.update(instructions=count_instructions(binary, folder), profile_mb=os.path.getsize(profile) / 2**20,
                         decode_ms=min(spend(decode, folder) for _ in range(3))[0])
        row[kind] = found
    return row


def measure_numbering(repeat):
    program = os.path.join(shell.BUILD, "scale", "numbering")
    sources = [shell.source("bench", "scale_numbering.c"), shell.source("encoding", "number.c"), shell.source("encoding", "order.c")]
    shell.run_quietly([shell.CLANG, "-std=gnu11", "-O2", f"-I{shell.source('include')}", f"-I{shell.SOURCE}", *sources, "-o", program])
    names = ["functions", "edges", "us", "bytes", "back", "cut"]
    printed = shell.run_quietly([program, str(repeat), *map(str, NUMBERED)])
    return [dict(zip(names, map(int, line.split()))) for line in printed.splitlines()]


def build_threads():
    source = own_program("threads")().sources
    binaries = {kind: os.path.join(shell.BUILD, "scale", f"threads-{kind}") for kind in (PLAIN, HCCT)}
    for kind, compiler in ((PLAIN, shell.CLANG), (HCCT, os.path.join(shell.HCCT, "bin", "hcct-cc"))):
        shell.run_quietly([compiler, "-O2", *source, "-pthread", "-o", binaries[kind]])
    return binaries


def user_ms(command, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, env=environment(folder), stdout=subprocess.DEVNULL, check=True)
    return 1000 * (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)


def measure_threads(repeat):
    folder, binaries = os.path.join(shell.BUILD, "scale"), build_threads()
    times = {(threads, kind): [] for threads in THREADS for kind in binaries}
    for _ in range(repeat):
        for threads, kind in times:
            times[threads, kind].append(user_ms([binaries[kind], str(threads), str(ROUNDS // threads)], folder))
    return [{"threads": threads, **{kind: min(times[threads, kind]) for kind in binaries}} for threads in THREADS]


# --- the document ------------------------------------------------------------------------------


def table(titles, rows):
    lines = ["| " + " | ".join(titles) + " |", "|" + "---:|" * len(titles)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def start_table(programs):
    titles = ["functions", "direct calls", "plain, ms", "hcct, ms", "hcct − plain, ms", "with `-flto` − plain, ms", "page faults more", "instructions, millions"]
    rows = []
    for row in programs:
        plain, ours = row[PLAIN], row[HCCT]
        linked = f"{row[LTO]['start_ms'] - plain['start_ms']:.1f}" if LTO in row else ""
        rows.append([f"{row['functions']:,}", f"{row['calls']:,}", f"{plain['start_ms']:.1f}", f"{ours['start_ms']:.1f}",
                     f"{ours['start_ms'] - plain['start_ms']:.1f}", linked, f"{ours['faults'] - plain['faults']:,}", f"{ours['instructions'] / 1e6:.1f}"])
    return table(titles, rows)


def size_table(programs):
    titles = ["functions", "start and end, ms", "with `-flto`, ms", "peak memory, MB", "plain, MB", "profile, MB", "hcct-decode, ms"]
    rows = []
    for row in programs:
        ours = row[HCCT]
        rows.append([f"{row['functions']:,}", f"{ours['whole_ms']:.1f}", f"{row[LTO]['whole_ms']:.1f}" if LTO in row else "", f"{ours['peak_mb']:.1f}",
                     f"{row[PLAIN]['peak_mb']:.1f}", f"{ours['profile_mb']:.2f}", f"{ours['decode_ms']:.1f}"])
    return table(titles, rows)


def numbering_table(numbered):
    titles = ["functions", "edges", "time, ms", "ns an edge", "memory, MB", "back edges", "cut edges"]
    return table(titles, [[f"{row['functions']:,}", f"{row['edges']:,}", f"{row['us'] / 1e3:.1f}", f"{1e3 * row['us'] / row['edges']:.0f}",
                           f"{row['bytes'] / 2**20:.1f}", f"{row['back']:,}", f"{row['cut']:,}"] for row in numbered])


def thread_table(threads):
    rows = [[str(row["threads"]), f"{row[PLAIN]:.0f}", f"{row[HCCT]:.0f}", f"{row[HCCT] / row[PLAIN]:.2f}"] for row in threads]
    return table(["threads", "plain, user ms", "hcct, user ms", "ratio"], rows)


def size_axis():
    return charts.Axis("functions", 100, 1e6, True, lambda value: f"{value:,.0f}")


def draw(data):
    programs, numbered = data["programs"], data["numbering"]
    more = lambda kind: [(row["functions"], row[kind]["start_ms"] - row[PLAIN]["start_ms"]) for row in programs if kind in row]
    lines = {"start-up": more(HCCT), "start-up, -flto": [(x, max(y, 0.01)) for x, y in more(LTO)],
             "numbering alone": [(row["functions"], row["us"] / 1e3) for row in numbered],
             "hcct-decode": [(row["functions"], row[HCCT]["decode_ms"]) for row in programs]}
    axis = charts.logarithmic_axis("milliseconds", [y for points in lines.values() for _, y in points])
    folder = os.path.dirname(DATA)
    shell.write(os.path.join(folder, "time.svg"), charts.line_chart("Time by size of the program", size_axis(), axis, lines))
    lines = {"numbering's memory": [(row["functions"], row["bytes"] / 2**20) for row in numbered],
             "peak with hcct": [(row["functions"], row[HCCT]["peak_mb"]) for row in programs],
             "peak of plain": [(row["functions"], row[PLAIN]["peak_mb"]) for row in programs],
             "profile": [(row["functions"], row[HCCT]["profile_mb"]) for row in programs]}
    axis = charts.logarithmic_axis("megabytes", [y for points in lines.values() for _, y in points])
    shell.write(os.path.join(folder, "memory.svg"), charts.line_chart("Memory and profile by size of the program", size_axis(), axis, lines))


def rewrite(data):
    shell.write_document(shell.TABLES, f"{start_table(data['programs'])}\n{data['machine']}\n", "start")
    shell.write_document(shell.TABLES, size_table(data["programs"]), "size")
    shell.write_document(shell.TABLES, numbering_table(data["numbering"]), "numbering")
    shell.write_document(shell.TABLES, thread_table(data["threads"]), "threads")
    draw(data)


def main():
    parser = argparse.ArgumentParser(prog="bench/scale.py", description="Measures hcct on programs of growing size.")
    parser.add_argument("--repeat", type=int, default=15, help="runs, of which the least counts (15; of the threads a fifth)")
    parser.add_argument("--largest", type=int, help="only programs up to that size; writes nothing")
    parser.add_argument("--build-only", action="store_true")
    parser.add_argument("--rewrite", action="store_true")
    options = parser.parse_args()
    if options.rewrite:
        rewrite(json.loads(shell.read(DATA)))
        return
    if not shutil.which("valgrind"):
        shell.fail("valgrind is not installed")
    sizes = [(size, [PLAIN, HCCT] + [LTO] * (size <= LTO_LARGEST)) for size in SIZES if not options.largest or size <= options.largest]
    for size, kinds in sizes:
        for kind in kinds:
            scale_program.build(size, kind)
    if options.build_only:
        return
    machine = (f"The least of {options.repeat} runs. {datetime.date.today()}, {shell.processor_name()}, {os.cpu_count()} processors, "
               f"{shell.first_line([shell.CLANG, '--version'])}, made by `{' '.join(['python3 bench/scale.py'] + sys.argv[1:])}`.")
    data = {"machine": machine, "programs": [measure_program(size, kinds, options.repeat) for size, kinds in sizes]}
    print(start_table(data["programs"]), size_table(data["programs"]), sep="\n", flush=True)
    if options.largest:
        return
    data["numbering"] = measure_numbering(max(options.repeat // 5, 1))
    data["threads"] = measure_threads(max(options.repeat // 5, 1))
    print(numbering_table(data["numbering"]), thread_table(data["threads"]), sep="\n")
    os.makedirs(os.path.dirname(DATA), exist_ok=True)
    shell.write(DATA, json.dumps(data, indent=1) + "\n")
    rewrite(data)


if __name__ == "__main__":
    main()
