"""Counts how often functions that are not instrumented are called, without hcct.

usage: arrivals.py counters OBJECT.o...       prints assembly: for each function that the objects call and do not define an entry that counts and goes on to it;
                                              at exit the counts go to arrivals.txt. Writes counters.names for objcopy --redefine-syms
       arrivals.py compare PROFILE.json FILE  the profile's own counts of these functions, summed up, against that file: equal in mode=cct; in mode=hcct what is
                                              certain (count - error) is no more

Left out are functions whose address the objects use for something else than a call, as the counter would see calls through pointers too; what is not a call in LLVM's
IR, but may become one (memcpy of a known length); and setjmp, which returns to its caller's frame.
"""
import collections
import json
import re
import subprocess
import sys

NOT_ONLY_CALLS = {"memcpy", "memmove", "memset", "_setjmp", "setjmp", "__sigsetjmp"}


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def counters(objects):
    defined, called, otherwise = set(), set(), set()
    for path in objects:
        defined |= {line.split()[-1] for line in run("nm", "--defined-only", path).splitlines() if line.strip()}
        section = ""
        for line in run("readelf", "-rW", path).splitlines():
            begins = re.match(r"Relocation section '([^']*)'", line)
            section = begins[1] if begins else section
            entry = re.match(r"[0-9a-f]+\s+[0-9a-f]+\s+(R_\w+)\s+[0-9a-f]+\s+(\S+)", line)
            if not entry or "__hcct_symbol" in section:
                continue
            name = entry[2].split("@")[0]
            (called if entry[1] == "R_X86_64_PLT32" else otherwise).add(name)
    names = sorted(name for name in called - otherwise - defined - NOT_ONLY_CALLS if not name.startswith(("__hcct_", ".")))
    with open("counters.names", "w", encoding="utf-8") as out:
        out.writelines(f"{name} counted_{name}\n" for name in names)
    assembly = []
    for name in names:
        assembly.append(f"""
    .globl counted_{name}
    .type counted_{name}, @function
counted_{name}:
    incq count_{name}(%rip)
    jmp {name}@PLT
    .local count_{name}
    .comm count_{name}, 8, 8""")
    # What arrivals.c prints.
    rows = "".join(f"    .quad name_{i}, count_{name}\n" for i, name in enumerate(names))
    texts = "".join(f'name_{i}: .asciz "{name}"\n' for i, name in enumerate(names))
    print(f"    .text{''.join(assembly)}\n    .data\n    .balign 8\n    .globl counters\ncounters:\n{rows}    .quad 0, 0\n{texts}    .section .note.GNU-stack,\"\",%progbits")


def compare(profile, arrived):
    with open(profile, encoding="utf-8") as file:
        data = json.load(file)
    exact = data["mode"] == "cct"
    counted = collections.Counter()
    for node in data["nodes"]:
        frame = data["frames"][node["frame"]]
        if frame["kind"] == "function" and node["count"]:
            counted[frame["linkage"]] += node["count"] - node["error"]
    with open(arrived, encoding="utf-8") as file:
        expected = dict((name, int(count)) for name, count in (line.split() for line in file))
    if not expected or not any(expected.values()):
        sys.exit("no function was called: is this test out of date?")
    wrong = [f"{name}: {counted[name]} in the profile, {count} arrived" for name, count in expected.items() if counted[name] > count or (exact and counted[name] != count)]
    print(f"{sum(expected.values())} calls of {len(expected)} functions, {len(wrong)} functions wrong")
    sys.exit("\n".join(wrong) if wrong else 0)


if sys.argv[1] == "counters":
    counters([path for path in sys.argv[2:] if path.endswith(".o") and path != "library.o"])
else:
    compare(*sys.argv[2:])
