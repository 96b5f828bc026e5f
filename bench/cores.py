"""What threads that nearly always miss wait for each other: two threads beside two processes of one thread each, which share nothing but the machine.

    python3 bench/cores.py              prints the table in docs/performance/tables.md
    python3 bench/cores.py --write      writes it there
"""
import argparse
import datetime
import os
import statistics
import subprocess
import time

import shell

WALKS = ["18", "1500000"]  # 262,144 paths a thread, 28.5 million calls
MODES = [("clang -O2", None), ("contexts fit into memory (default)", ""), ("they do not (`memory=0`)", "memory=0:"), ("`mode=cct`", "mode=cct:")]


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


def main():
    parser = argparse.ArgumentParser(prog="bench/cores.py", description="Measures how much threads that miss wait for each other.")
    parser.add_argument("--build", metavar="FOLDER", help="another build of hcct")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if options.build:
        shell.use_build(options.build)
    os.makedirs(shell.BUILD, exist_ok=True)
    plain, ours = binary("plain", shell.CLANG), binary("hcct", os.path.join(shell.HCCT, "bin", "hcct-cc"))
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
        made = f"{datetime.date.today()}, {shell.processor_name()}, {os.cpu_count()} processors, commit {shell.commit()}, made by `python3 bench/cores.py --write`"
        text = "\n".join(lines) + f"\n\nMedians of {options.rounds} rounds. {made}.\n"
        shell.write_document(shell.TABLES, text, "cores")


if __name__ == "__main__":
    main()
