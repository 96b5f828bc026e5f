"""Compiles a program in one of the ways of variants.py: object by object, in BUILD/objects, then a link.

What was made is kept, beside a stamp of all that it was made from, until a source, a command or hcct changes. The compile time is the processor
time of the compilers and of the linker.
"""
import concurrent.futures
import hashlib
import json
import os
import subprocess

from shell import read, run_quietly, source, write
from variants import BUILDS, HOOK
import shell


class BuildError(Exception):
    pass


class Binary:
    def __init__(self, path, stamp, compile_s):
        self.path, self.stamp, self.compile_s = path, stamp, compile_s

    def text_bytes(self):
        """Of its code."""
        return text_bytes(self.path)


def text_bytes(path):
    """Of the sections .text of a binary, or of the members of an archive."""
    lines = run_quietly(["size", "-A", path]).splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith(".text"))


def runtime_bytes(name):
    """What the runtime is of the code of programs built in that way."""
    return text_bytes(os.path.join(shell.HCCT, "lib", "libhcct.a")) if BUILDS[name].hcct else 0


def digest(*parts):
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def content(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def timed(command, folder):
    """Runs a command; the processor time that it took, in seconds."""
    child = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        lines = [line for line in output.decode(errors="replace").splitlines() if "error" in line or "undefined" in line] or [f"status {child.returncode}"]
        raise BuildError(f"{os.path.basename(command[0])}: {lines[0].strip()}")
    return usage.ru_utime + usage.ru_stime


def made(stamp_path, stamp, files):
    """The time that making it took, if it stands there as it would be made now."""
    if os.path.exists(stamp_path) and all(os.path.exists(path) for path in files):
        known = json.loads(read(stamp_path))
        if known["stamp"] == stamp:
            return known["seconds"]
    return None


def compiler_identity(how):
    """What the compiler itself is: of hcct's, the plugin too."""
    words = how.compilers()[0]
    parts = [words]
    if how.hcct:
        parts += [content(os.path.join(shell.HCCT, "lib", "hcct.so")), content(os.path.join(shell.HCCT, "bin", "hcct-cc"))]
    return parts


def compile_objects(program, name, how):
    """(objects, stamp, seconds)"""
    folder = os.path.join(shell.BUILD, "objects", f"{program.name}-{name}")
    os.makedirs(folder, exist_ok=True)
    units = program.units()
    objects = [os.path.join(folder, f"{number}-{os.path.basename(unit.path)}.o") for number, unit in enumerate(units)]
    stamp = digest(compiler_identity(how), how.flags, [(unit.path, unit.flags, content(unit.path)) for unit in units])
    stamp_path = os.path.join(folder, "stamp")
    seconds = made(stamp_path, stamp, objects)
    if seconds is None:
        print(f"Compiling {program.name}-{name}", flush=True)
        compilers = how.compilers()
        commands = [compilers[unit.path.endswith((".cpp", ".cc"))] + ["-O2", *how.flags, *unit.flags, "-c", unit.path, "-o", path]
                    for unit, path in zip(units, objects)]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            seconds = sum(pool.map(timed, commands, [unit.folder for unit in units]))
        write(stamp_path, json.dumps({"stamp": stamp, "seconds": seconds}))
    return objects, stamp, seconds


def compile_hook(name, path, flags):
    target = os.path.join(shell.BUILD, f"{name}_hook.o")
    run_quietly([shell.CLANG, "-O2", *flags, "-I" + source("include"), "-c", path, "-o", target])
    return target


def build(program, name):
    """The Binary of a program built in that way. Raises BuildError."""
    how = BUILDS[name]
    os.makedirs(shell.BUILD, exist_ok=True)
    objects, objects_stamp, seconds = compile_objects(program, how.objects or name, how)
    objects = objects + ([compile_hook(how.hook, HOOK[how.hook], how.hook_flags)] if how.hook else [])
    binary = os.path.join(shell.BUILD, f"{program.name}-{name}")
    compilers = how.compilers()
    linker = compilers[any(unit.path.endswith((".cpp", ".cc")) for unit in program.units())]
    command = linker + ["-O2", *how.flags, *objects, *program.libraries, *how.link, "-o", binary]
    runtime = content(os.path.join(shell.HCCT, "lib", "libhcct.a")) if how.hcct else None
    stamp = digest(objects_stamp, command, runtime, [content(path) for path in objects[-1:] if how.hook])
    link_s = made(binary + ".stamp", stamp, [binary])
    if link_s is None:
        link_s = timed(command, shell.BUILD)
        write(binary + ".stamp", json.dumps({"stamp": stamp, "seconds": link_s}))
    return Binary(binary, stamp, seconds + link_s)
