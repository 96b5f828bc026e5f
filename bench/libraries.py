"""What start and end cost a program with instrumented shared libraries, which are numbered when it starts: in instructions, by callgrind.

    python3 bench/libraries.py 1 2 4 8      a row for each number of libraries, of 500 functions each

Each function calls five others of its library, and one of a library before. The program calls a function of each library, which then
returns. Beside it the same files linked into one executable, which its link numbers.
"""
import argparse
import os
import random
import re
import subprocess
import tempfile

import shell

FUNCTIONS, CALLS = 500, 5


def library(number, choice):
    """Its source. Each tenth function is visible to the others."""
    before = [f"l{other}_f{i}" for other in range(number) for i in range(0, FUNCTIONS, 10)]
    text = "extern volatile int sink;\n" + "".join(f"int {name}(int);\n" for name in before)
    for i in range(FUNCTIONS):
        callees = [f"l{number}_f{choice.randrange(i)}" for _ in range(CALLS)] if i else []
        callees += [choice.choice(before)] if before else []
        body = "".join(f"    if (n == {case + 1}) s += {name}(n);\n" for case, name in enumerate(callees))
        text += f"__attribute__((noinline)) {'' if i % 10 == 0 else 'static '}int l{number}_f{i}(int n)\n{{\n    int s = sink;\n{body}    return s;\n}}\n"
    body = "".join(f"    if (n == {i + 1}) s += l{number}_f{i}(n);\n" for i in range(FUNCTIONS))
    return text + f"int l{number}_enter(int n)\n{{\n    int s = 0;\n{body}    return s;\n}}\n"


def program(count):
    numbers = range(count)
    return ("volatile int sink;\n" + "".join(f"int l{i}_enter(int);\n" for i in numbers) +
            "int main(int argc, char **argv)\n{\n    (void)argv;\n    return " + " + ".join(f"l{i}_enter(argc - 1)" for i in numbers) + ";\n}\n")


def instructions(folder, name):
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", os.path.join(folder, name)], cwd=folder, check=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=dict(os.environ, HCCT_OPTIONS="output=ids.bin"))
    return int(re.search(rb"Collected : (\d+)", done.stderr)[1])


def row(count):
    with tempfile.TemporaryDirectory() as folder:
        choice = random.Random(count)
        names = [f"l{i}" for i in range(count)]
        for i, name in enumerate(names):
            shell.write(os.path.join(folder, name + ".c"), library(i, choice))
        shell.write(os.path.join(folder, "main.c"), program(count))
        cost = {}
        for how, compiler in (("plain", shell.CLANG), ("hcct", os.path.join(shell.HCCT, "bin", "hcct-cc"))):
            for i, name in enumerate(names):
                shell.run_quietly([compiler, "-O1", "-fPIC", "-shared", name + ".c", "-o", f"lib{name}.so", *[f"lib{other}.so" for other in names[:i]],
                                   "-Wl,-rpath," + folder], cwd=folder)
            shell.run_quietly([compiler, "-O1", "main.c", "-o", "split", *[f"lib{name}.so" for name in names], "-Wl,-rpath," + folder], cwd=folder)
            shell.run_quietly([compiler, "-O1", "main.c", *[name + ".c" for name in names], "-o", "whole"], cwd=folder)
            cost[how] = {name: instructions(folder, name) for name in ("split", "whole")}
        more = {name: cost["hcct"][name] - cost["plain"][name] for name in ("split", "whole")}
        functions = count * (FUNCTIONS + 1)
        print(f"| {count} | {functions} | {more['split'] / 1e6:.2f} | {more['split'] / functions:.0f} | {more['whole'] / 1e6:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(prog="bench/libraries.py", description="Counts what instrumented libraries cost at start and end.")
    parser.add_argument("count", type=int, nargs="+", help="of libraries")
    options = parser.parse_args()
    print("| libraries | functions | + hcct, millions | for each function | the same in one executable, millions |\n|---:|---:|---:|---:|---:|")
    for count in options.count:
        row(count)


if __name__ == "__main__":
    main()
