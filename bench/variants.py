"""Ways to build a program (BUILDS) and to run what was built (VARIANTS): plain, by hcct, and by its peers.

A function of the folder and name of hcct's build is called late, as scripts/lab may name another build.
"""
import os
import re
import shutil
import subprocess

import shell
from shell import source


class Build:
    """`compilers`: a function that gives the C and the C++ compiler, each a list of words. `flags` are given to all steps, `link` to the last.
    `hook`: a source of ours that is compiled plainly, or with `hook_flags`, and linked in. `objects`: another build whose objects are the same."""

    def __init__(self, compilers, flags=(), link=(), hook=None, objects=None, hcct=False, hook_flags=("-fno-omit-frame-pointer",)):
        self.compilers, self.flags, self.link, self.hook, self.hook_flags = compilers, list(flags), list(link), hook, list(hook_flags)
        self.objects, self.hcct = objects, hcct


def clang():
    return [shell.CLANG], [shell.CLANG.replace("clang", "clang++")]


def gcc():
    return ["gcc"], ["g++"]


def hcct(*options, environment=()):
    def compilers():
        before = ["env", *environment] if environment else []
        return tuple(before + [os.path.join(shell.HCCT, "bin", name), *options] for name in ("hcct-cc", "hcct-c++"))
    return compilers


HOOK = {name: source("bench", "peers", name + "_hook.c") for name in ("empty", "cct", "xray", "pcc")}
HOOK["pcc-values"] = HOOK["pcc"]
LTO = ["-flto", "-fuse-ld=lld"]
BUILDS = {
    "plain": Build(clang),
    "lto": Build(clang, LTO),
    "frames": Build(clang, ["-fno-omit-frame-pointer"]),
    "gcc": Build(gcc),
    "hcct": Build(hcct(), hcct=True),
    "hcct-lto": Build(hcct(), ["-flto"], hcct=True),
    "externals": Build(hcct("--hcct-externals"), hcct=True),
    "vtables": Build(clang, [*LTO, "-fwhole-program-vtables"]),
    "hcct-vtables": Build(hcct(), ["-flto", "-fwhole-program-vtables"], hcct=True),
    "clock": Build(hcct("--hcct-clock"), hcct=True),
    "gprof": Build(gcc, ["-pg"]),
    "clang-pg": Build(clang, ["-pg"]),
    "cyg-empty": Build(clang, ["-finstrument-functions"], hook="empty"),
    "cyg-cct": Build(clang, ["-finstrument-functions"], hook="cct", objects="cyg-empty"),
    "after-empty": Build(clang, ["-finstrument-functions-after-inlining"], hook="empty"),
    "after-cct": Build(clang, ["-finstrument-functions-after-inlining"], hook="cct", objects="after-empty"),
    "pcc-values": Build(hcct(environment=["HCCT_LTO=compile", "HCCT_SHADOW=alone"]), ["-flto"], hook="pcc-values", hcct=True, hook_flags=["-flto", "-DPCC_COUNTS=0"]),
    "pcc": Build(hcct(environment=["HCCT_LTO=compile", "HCCT_SHADOW=alone"]), ["-flto"], hook="pcc", objects="pcc-values", hcct=True, hook_flags=["-flto"]),
    "xray": Build(clang, ["-fxray-instrument", "-fxray-modes=xray-profiling", "-fxray-instruction-threshold=1"], hook="xray"),
}


class Variant:
    """`base`: what its time is compared with; `also`: what a table compares it with beside that. `command` stands in front of the program. `slow`: gets the
    next smaller workload, and once only in a short run. `exact`: takes minutes where each call is a context. `alone`: knows no threads. `clocked`: what it
    does depends on a clock, so that instructions tell nothing. `classes`: is about virtual functions."""

    def __init__(self, title, build, base="plain", options=None, environment=(), command=(), slow=False, exact=False, alone=False, clocked=False, classes=False, needs=None,
                 also=None):
        self.title, self.build, self.base, self.options = title, build, base, options
        self.bases = [one for one in (base, also) if one]
        self.environment, self.command, self.slow = dict(environment), list(command), slow
        self.exact, self.alone, self.clocked, self.classes, self.needs = exact, alone, clocked, classes, needs


VARIANTS = {
    "plain": Variant("clang -O2", "plain", None),
    "hcct": Variant("hcct, mode=hcct", "hcct", options="mode=hcct"),
    "cct": Variant("hcct, mode=cct", "hcct", options="mode=cct", exact=True),
    "ids": Variant("hcct, ids alone", "hcct", options="counting=off"),
    "time": Variant("hcct, metric=time", "hcct", options="metric=time"),
    "lto": Variant("clang -O2 -flto", "lto"),
    "hcct-lto": Variant("hcct -flto, mode=hcct", "hcct-lto", "lto", "mode=hcct"),
    "vtables": Variant("clang -O2 -flto -fwhole-program-vtables", "vtables", classes=True),
    "hcct-vtables": Variant("hcct -flto -fwhole-program-vtables, mode=hcct", "hcct-vtables", "vtables", "mode=hcct", classes=True),
    "cct-lto": Variant("hcct -flto, mode=cct", "hcct-lto", "lto", "mode=cct", exact=True),
    "ids-lto": Variant("hcct -flto, ids alone", "hcct-lto", "lto", "counting=off"),
    "gcc": Variant("gcc -O2", "gcc"),
    "gprof": Variant("gcc -O2 -pg", "gprof", "gcc", also="plain"),
    "clang-pg": Variant("clang -O2 -pg", "clang-pg"),
    "cyg-empty": Variant("-finstrument-functions, empty hooks", "cyg-empty"),
    "cyg-cct": Variant("-finstrument-functions + CCT", "cyg-cct", alone=True),
    "after-empty": Variant("-finstrument-functions-after-inlining, empty hooks", "after-empty"),
    "after-cct": Variant("-finstrument-functions-after-inlining + CCT", "after-cct", alone=True),
    "pcc-values": Variant("probabilistic calling context, values alone", "pcc-values", "lto", "counting=off", alone=True),
    "pcc": Variant("probabilistic calling context, counted", "pcc", "lto", "counting=off", alone=True),
    "perf": Variant("perf record -g", "frames", command=["perf", "record", "-q", "--call-graph=fp", "-o", "perf.data"], needs="perf"),
    "xray": Variant("LLVM XRay, profiling mode", "xray", slow=True),
    "uftrace": Variant("uftrace record", "gprof", "gcc", command=["uftrace", "record", "--no-pager", "-d", "uftrace.data"], slow=True, needs="uftrace",
                       also="plain"),
    "callgrind": Variant("valgrind --tool=callgrind", "plain", command=["valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=callgrind.out"],
                         slow=True, needs="valgrind"),
    "externals": Variant("hcct --hcct-externals, mode=hcct", "externals", options="mode=hcct"),
    "snapshot": Variant("hcct, snapshot=100ms", "hcct", options="snapshot=100ms", clocked=True),
    "fold": Variant("hcct, recursion=fold", "hcct", options="recursion=fold"),
    "wall": Variant("hcct, metric=wall", "hcct", options="metric=wall", clocked=True),
    "heap": Variant("hcct, metric=heap", "hcct", "ids", options="metric=heap", also="plain"),
    "heap-sample": Variant("hcct, heap_sample=512K", "hcct", "ids", options="metric=heap:heap_sample=512K", also="plain"),
    "heaptrack": Variant("heaptrack", "plain", command=["heaptrack", "-o", "track"], slow=True, needs="heaptrack"),
    "dhat": Variant("valgrind --tool=dhat", "plain", command=["valgrind", "-q", "--tool=dhat", "--dhat-out-file=dhat.out"], slow=True, needs="valgrind"),
    "massif": Variant("valgrind --tool=massif", "plain", command=["valgrind", "-q", "--tool=massif", "--massif-out-file=massif.out"], slow=True, needs="valgrind"),
    "gperftools": Variant("gperftools' heap profiler", "plain", command=["env", "LD_PRELOAD=libtcmalloc.so.4", "HEAPPROFILE=heap"], slow=True, needs="libtcmalloc.so.4"),
    "jemalloc": Variant("jemalloc, prof:true (samples)", "plain", command=["env", "LD_PRELOAD=libjemalloc.so.2", "MALLOC_CONF=prof:true,prof_final:true"], slow=True,
                        needs="libjemalloc.so.2"),
    "clock": Variant("hcct, metric=clock", "clock", options="metric=clock"),
}
GROUPS = {
    "main": ["hcct", "cct", "ids", "hcct-lto", "cct-lto", "ids-lto", "after-cct", "gprof"],
    "peers": ["clang-pg", "cyg-cct", "after-empty", "perf", "xray", "uftrace", "callgrind"],
    "modes": ["hcct", "cct", "fold", "snapshot", "ids", "clock"],
}


def level(variant, program, short):
    """The size of the workload that a variant of a program gets."""
    smaller = variant.slow or variant.exact and program.exploding
    return ("tiny" if smaller else "short") if short else ("short" if smaller else "long")


def is_installed(name):
    """A command, or a library as the dynamic linker finds it."""
    if not name.startswith("lib"):
        return shutil.which(name)
    libraries = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True).stdout
    return re.search(rf"^\s*{re.escape(name)} ", libraries, re.MULTILINE)


def impossible(variant, program):
    """Why this cannot be run here, or None."""
    if variant.needs and not is_installed(variant.needs):
        return f"{variant.needs} is not installed"
    if variant.alone and program.threads > 1:
        return "knows no threads"
    if variant.classes and not any(unit.path.endswith("pp") for unit in program.units()):
        return "is C: no virtual functions"
    return None
