#!/usr/bin/env python3
"""How many bytes of files the records are that hcct adds to a program's code, for each call site: in the objects and in the linked program.

    bench/records.py sqlite            a program of programs.py, compiled file by file
    bench/records.py libsass -g        with other options behind -O2
    bench/records.py FILE...           objects, archives or linked files that are there

In an object a section of records has relocations of 24 bytes for each field that refers to something, and a header of 64 bytes for each function,
as the linker is to drop a function with what describes it.
"""
import collections
import os
import struct
import sys
import tempfile

from programs import PROGRAMS
from shell import fail, run_quietly
from variants import BUILDS
import shell

FUNCTION_BYTES, SITE_COUNT_AT = 40, 12  # struct hcct_function, include/hcct/abi.h
KINDS = [("hcct_sites", "sites"), ("hcct_functions", "functions"), (".data.hcct", "states and deltas"), (".text", "code"),
         (".debug", "debug info"), (".rodata.str", "strings"), (".rodata", "other constants"), (".symtab", "symbols"), (".strtab", "symbols"),
         (".group", "groups of sections")]
RELA, NOBITS = 4, 8


def members(path):
    """The ELF files in a file."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:8] != b"!<arch>\n":
        return [data]
    found, at = [], 8
    while at < len(data):
        size = int(data[at + 48:at + 58])
        if data[at + 60:at + 64] == b"\x7fELF":
            found.append(data[at + 60:at + 60 + size])
        at += 60 + size + size % 2
    return found


def kind_of(name):
    return next((kind for start, kind in KINDS if name.startswith(start)), "other")


def account(data):
    """{(kind, what): bytes} of an ELF file, and how many call sites its records have."""
    offset, = struct.unpack_from("<Q", data, 40)
    count, names = struct.unpack_from("<HH", data, 60)
    first = struct.unpack_from("<IIQQQQIIQQ", data, offset)  # has what is too large for the file's header
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, offset + 64 * i) for i in range(count or first[5])]
    text = headers[first[6] if names == 0xffff else names][4]
    counts, sites = collections.Counter(), 0
    for header in headers:
        about = headers[header[7]] if header[1] == RELA and header[7] else header
        name = data[text + about[0]:data.index(b"\0", text + about[0])].decode()
        counts[kind_of(name), "headers"] += 64
        counts[kind_of(name), "relocations" if header[1] == RELA else "content"] += header[5] if header[1] != NOBITS else 0
        if name == "hcct_functions" and header[1] != RELA:
            records = data[header[4]:header[4] + header[5]]
            sites += sum(struct.unpack_from("<I", records, at + SITE_COUNT_AT)[0] for at in range(0, len(records), FUNCTION_BYTES))
    return counts, sites


def of_files(paths):
    counts, sites = collections.Counter(), 0
    for path in paths:
        for data in members(path):
            more, more_sites = account(data)
            counts.update(more)
            sites += more_sites
    return counts, sites


def show(title, counts, sites, plain):
    print(f"{title}: {sites} call sites" + (f"; {sum(plain.values())} bytes without profiling, {sum(counts.values()) / sum(plain.values()):.2f} times with it" if plain else ""))
    print(f"{'bytes for each site':20}{'content':>10}{'relocations':>13}{'headers':>9}")
    for kind in [*dict.fromkeys(kind for _, kind in KINDS), "other"]:
        row = [(counts[kind, what] - plain[kind, what]) / max(1, sites) for what in ("content", "relocations", "headers")]
        if any(row):
            print(f"{kind:20}{row[0]:10.1f}{row[1]:13.1f}{row[2]:9.1f}")
    print(f"{'all':20}{(sum(counts.values()) - sum(plain.values())) / max(1, sites):10.1f}", flush=True)


def build(program, how, options, folder):
    """The objects, and the linked program."""
    objects, compilers = [], BUILDS[how].compilers()
    is_cpp = [unit.path.endswith((".cpp", ".cc")) for unit in program.units()]
    for i, unit in enumerate(program.units()):
        objects.append(os.path.join(folder, f"{how}-{i}.o"))
        run_quietly([*compilers[is_cpp[i]], "-O2", *unit.flags, *options, "-c", unit.path, "-o", objects[-1]], cwd=unit.folder)
    linked = os.path.join(folder, how)
    run_quietly([*compilers[any(is_cpp)], *options, *objects, *program.libraries, "-o", linked])
    return objects, linked


def main():
    if len(sys.argv) > 1 and all(map(os.path.exists, sys.argv[1:])):
        show(" ".join(map(os.path.basename, sys.argv[1:]))[:60], *of_files(sys.argv[1:]), collections.Counter())
        return
    if len(sys.argv) < 2 or sys.argv[1] not in PROGRAMS:
        fail(f"usage: records.py PROGRAM [OPTION...] | FILE...; there are {', '.join(PROGRAMS)}")
    os.makedirs(shell.BUILD, exist_ok=True)
    program = PROGRAMS[sys.argv[1]]()
    with tempfile.TemporaryDirectory() as folder:
        plain, ours = (build(program, how, sys.argv[2:], folder) for how in ("plain", "hcct"))
        show(f"{program.title}, objects", *of_files(ours[0]), of_files(plain[0])[0])
        show(f"{program.title}, linked", *of_files(ours[1:]), of_files(plain[1:])[0])


if __name__ == "__main__":
    main()
