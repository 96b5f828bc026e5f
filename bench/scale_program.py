"""Writes a C program of so many functions and compiles it, for bench/scale.py.

Its call graph has the shape of real ones: about six call sites a function, most of them to functions a little further down in the
same file and the others to anywhere in what follows; one in 25 leads back, which makes cycles; half of the functions are static;
some functions call through a pointer, or call the C library. No function but main ever runs. It is compiled with -O0: that is
quick, and the records that the runtime numbers are those of any level without inlining.
"""
import concurrent.futures
import glob
import os
import random

import shell

PER_FILE = 2000
PLAIN, HCCT, LTO = "plain", "hcct", "flto"

MAIN = """#include <signal.h>
#include <unistd.h>
void (*hook)(int);
void f0(int);
int main(int argc, char **argv)
{
    if (argc == 2)
        kill(getpid(), SIGKILL); /* nothing at exit is measured */
    if (argc > 2)
        f0(argv[1][0]);
    return 0;
}
"""


def pick_callee(chance, number, end, count):
    kind = chance.random()
    if kind < 0.04:
        return chance.randrange(max(0, number - 30), number + 1)
    if kind < 0.75:
        return chance.randrange(number, min(end, number + 60))
    return chance.randrange(number, count)


def write_function(chance, number, callees, static):
    calls = [f"    f{callee}(x - {place});" for place, callee in enumerate(callees)]
    calls += [call for call in ("    hook(x);", "    putchar(x);") if chance.random() < 0.1]
    half = len(calls) // 2
    lines = [f"{'static ' if static else ''}void f{number}(int x)", "{", f"    if (x <= {number % 7})", "        return;"]
    return "\n".join(lines + calls[:half] + ["    if (x & 64) {"] + calls[half:] + ["    }", "}", ""])


def write(path, text):
    """Leaves a file that has this text already as old as it is."""
    if not os.path.exists(path) or shell.read(path) != text:
        shell.write(path, text)


def write_part(folder, start, count, static, chance):
    """The functions from `start` on; returns the number of direct calls."""
    end, bodies, known, calls = min(start + PER_FILE, count), [], set(), 0
    for number in range(start, end):
        callees = [number + 1] if number + 1 < end else []
        while chance.random() < 0.83:
            callee = pick_callee(chance, number, end, count)
            callees.append(callee if start <= callee < end or not static[callee] else callee - callee % PER_FILE)
        calls += len(callees)
        known.update(callees, [number])
        bodies.append(write_function(chance, number, callees, static[number]))
    head = ["#include <stdio.h>", "extern void (*hook)(int);"]
    head += [f"{'static ' if start <= number < end and static[number] else ''}void f{number}(int);" for number in sorted(known)]
    write(os.path.join(folder, f"part{start // PER_FILE}.c"), "\n".join(head + bodies))
    return calls


def write_program(folder, count):
    """Returns the names of its files without .c, and the number of direct calls."""
    chance = random.Random(count)
    os.makedirs(folder, exist_ok=True)
    static = [number % PER_FILE != 0 and chance.random() < 0.5 for number in range(count)]
    calls = sum(write_part(folder, start, count, static, chance) for start in range(0, count, PER_FILE))
    write(os.path.join(folder, "main.c"), MAIN)
    return ["main"] + [f"part{number}" for number in range((count + PER_FILE - 1) // PER_FILE)], calls


def is_fresh(made, *sources):
    return os.path.exists(made) and all(os.path.getmtime(made) >= os.path.getmtime(source) for source in sources)


def build(count, kind, jobs=2):
    """The program's path and its number of direct calls. Compiles what is older than the pass, links what is older than the runtime."""
    folder = os.path.join(shell.BUILD, "scale", str(count))
    names, calls = write_program(folder, count)
    compiler = [shell.CLANG] if kind == PLAIN else [os.path.join(shell.HCCT, "bin", "hcct-cc")]
    flags = ["-flto", "-fuse-ld=lld"] if kind == LTO else []
    objects = [f"{name}-{kind}.o" for name in names]
    newest = [shell.source("include", "hcct", "abi.h"), *glob.glob(shell.source("pass", "**", "*.c*"), recursive=True)]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        compiling = [pool.submit(shell.run_quietly, ["nice", *compiler, "-O0", *flags, "-c", f"{name}.c", "-o", made], cwd=folder)
                     for name, made in zip(names, objects) if not is_fresh(os.path.join(folder, made), os.path.join(folder, f"{name}.c"), *newest)]
        for one in compiling:
            one.result()
    binary = os.path.join(folder, kind)
    if not is_fresh(binary, os.path.join(shell.HCCT, "lib", "libhcct.a"), *(os.path.join(folder, made) for made in objects)):
        shell.run_quietly(["nice", *compiler, *flags, *objects, "-o", kind], cwd=folder)
    return binary, calls
