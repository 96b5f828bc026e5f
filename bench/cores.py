"""What threads that nearly always miss wait for each other: two threads beside two processes of one thread each, which share nothing but the machine.
With --instructions, by callgrind: how many instructions a call takes, and how many of them under the lock of the tables, or under that of a
part (runtime/core/parts.h). The first divided by the second is how many threads that do nothing but miss can work at a time: any more wait. Threads
of different parts do not wait for each other; so there the number is that of one summary's threads, where contexts have left.

    python3 bench/cores.py              prints the table in docs/performance/tables.md
    python3 bench/cores.py --write      writes it there
    python3 bench/cores.py --instructions
"""
import argparse
import datetime
import os
import re
import statistics
import subprocess
import tempfile
import time

import costs
import shell

WALKS = ["18", "1500000"]  # 262,144 paths a thread, 28.5 million calls
FEW = 300000  # walks
TABLE, ADDED = ("table", re.compile(r"hcct_(batch_add|record)$")), ("added", re.compile(r"add_some$"))  # a batch is added with either lock
MODES = [("clang -O2", None), ("contexts fit into memory (`memory=128M`)", "memory=128M:"), ("they do not (default)", ""), ("they do not (`memory=0`)", "memory=0:"),
         ("`mode=cct`", "mode=cct:")]


def binary(how, compiler):
    path = os.path.join(shell.BUILD, f"walks-{how}")
    shell.run_quietly([compiler, "-O2", shell.source("bench", "programs", "walks.c"), "-lpthread", "-o", path])
    return path


def elapsed(path, options, threads, processes):
    start, children = time.monotonic(), []
    for number in range(processes):
        environment = dict(os.environ, HCCT_OPTIONS=f"{options or ''}output={path}{number}.bin")
        children.append(subprocess.Popen([path, str(threads), *WALKS], stdout=subprocess.DEVNULL, env=environment))
    for child in children:
        if child.wait():
            shell.fail(f"{path} failed")
    return time.monotonic() - start


def counted(path, mode, walks):
    """(calls, instructions, those under the table lock, those under a part's) of two threads, as callgrind counts them."""
    with tempfile.TemporaryDirectory() as folder:
        shell.run_quietly(["strip", "--strip-debug", "-o", os.path.join(folder, "walks"), path])
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=callgrind.out", "./walks", "2", WALKS[0], str(walks)]
        done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, env=dict(os.environ, HCCT_OPTIONS=f"{mode}output=ids.bin"))
        table = costs.inclusive(os.path.join(folder, "callgrind.out"), [TABLE])["table"]
        apart = costs.inclusive(os.path.join(folder, "callgrind.out"), [TABLE, ADDED])
        return costs.calls(os.path.join(folder, "ids.bin")), int(re.search(r"Collected : (\d+)", done.stderr)[1]), table, apart["added"] + apart["table"] - table


def count_instructions(path):
    """The table: of calls that are made when most contexts are known."""
    lines = ["| calls are counted | instructions a call | under the table lock | threads at most | under a part's lock | threads of a part at most |",
             "|---|---:|---:|---:|---:|---:|"]
    for title, mode in MODES[1:]:
        calls, executed, table, part = (more - few for more, few in zip(counted(path, mode, 2 * FEW), counted(path, mode, FEW)))
        lines.append(f"| {title} | {executed / calls:.0f} | {table / calls:.1f} | {executed / table:.1f} | " + (f"{part / calls:.1f} | {executed / part:.1f} |" if part else "| |"))
        print(lines[-1], flush=True)
    return lines


def write(lines, end, what, command):
    made = f"{datetime.date.today()}, {shell.processor_name()}, {os.cpu_count()} processors, commit {shell.commit()}, made by `{command}`"
    shell.write_document(shell.TABLES, "\n".join(lines) + f"\n\n{end}{made}.\n", what)


def main():
    parser = argparse.ArgumentParser(prog="bench/cores.py", description="Measures how much threads that miss wait for each other.")
    parser.add_argument("--build", metavar="FOLDER", help="another build of hcct")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--instructions", action="store_true", help="count those instead")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if options.build:
        shell.use_build(options.build)
    os.makedirs(shell.BUILD, exist_ok=True)
    plain, ours = binary("plain", shell.CLANG), binary("hcct", os.path.join(shell.HCCT, "bin", "hcct-cc"))
    if options.instructions:
        lines = count_instructions(ours)
        if options.write:
            write(lines, "", "cores instructions", "python3 bench/cores.py --instructions --write")
        return
    print("one thread, two processes, two threads; threads to processes")
    lines = ["| calls are counted | one thread, s | two processes | two threads | threads to processes |", "|---|---:|---:|---:|---:|"]
    for title, mode in MODES:
        path = plain if mode is None else ours
        rounds = [[elapsed(path, mode, threads, processes) for threads, processes in ((1, 1), (1, 2), (2, 1))] for _ in range(options.rounds)]
        one, processes, threads = map(statistics.median, zip(*rounds))
        ratio = statistics.median(two / apart for _, apart, two in rounds)
        lines.append(f"| {title} | {one:.2f} | {processes:.2f} | {threads:.2f} | {ratio:.2f} |")
        print(lines[-1], flush=True)
    if options.write:
        write(lines, f"Medians of {options.rounds} rounds. ", "cores", "python3 bench/cores.py --write")


if __name__ == "__main__":
    main()
