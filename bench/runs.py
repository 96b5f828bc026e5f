"""Runs a program once, in a folder of its own, on given processors, and tells what it used."""
import atexit
import collections
import hashlib
import os
import re
import shutil
import signal
import subprocess

import costs
from shell import run_quietly, source
import shell

LIMIT_S = 600

# user, system and elapsed seconds, peak resident MB, bytes of the files that it left; and what it printed, hashed
Run = collections.namedtuple("Run", "user system elapsed peak profile output")


class RunError(Exception):
    pass


def processors(count):
    return ",".join(str(number) for number in sorted(os.sched_getaffinity(0))[-count:])


def launcher():
    """measure.c, built."""
    path = os.path.join(shell.BUILD, "measure")
    written = source("bench", "measure.c")
    if not os.path.exists(path) or os.path.getmtime(path) < os.path.getmtime(written):
        os.makedirs(shell.BUILD, exist_ok=True)
        run_quietly([shell.CLANG, "-O2", written, "-o", path])
    return path


def environment_of(variant):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HCCT_", "XRAY_", "LLVM_PROFILE_"))}
    kept.update({"LC_ALL": "C", **variant.environment})
    if variant.options:
        kept["HCCT_OPTIONS"] = variant.options
    return kept


def own(name):
    """A path that no other process uses; gone when this one ends."""
    folder = os.path.join(shell.BUILD, f"run-{os.getpid()}")
    if not os.path.isdir(folder):
        os.makedirs(folder)
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return os.path.join(folder, name)


def fresh_folder():
    folder = own("folder")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return folder


def size_of(folder):
    return sum(os.path.getsize(os.path.join(place, name)) for place, _, names in os.walk(folder) for name in names)


def last_words(path):
    with open(path, "rb") as file:
        lines = file.read().decode(errors="replace").strip().splitlines()
    return re.sub(r"^==\d+== ", "", lines[-1])[:200] if lines else ""


def execute(command, workload, environment):
    """Runs it in a fresh folder; the folder."""
    folder = fresh_folder()
    script, output, errors = (own(name) for name in ("stdin", "stdout", "stderr"))
    with open(script, "w", encoding="utf-8") as file:
        file.write(workload.stdin or "")
    with open(script, "rb") as stdin, open(output, "wb") as stdout, open(errors, "wb") as stderr:
        child = subprocess.Popen(command, cwd=folder, env=environment, stdin=stdin, stdout=stdout, stderr=stderr, start_new_session=True)
        try:
            status = child.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            raise RunError(f"took more than {LIMIT_S} s") from None
    if status:
        raise RunError(f"status {status}: {last_words(errors)}")
    return folder


def leave(variant, path, workload, name):
    """Runs a program; where the file is that it left by that name. That path tells the content: builds are known by their commands, not by what these read."""
    folder = execute([path, *workload.arguments], workload, environment_of(variant))
    with open(os.path.join(folder, name), "rb") as file:
        kept = os.path.join(shell.BUILD, f"{hashlib.sha256(file.read()).hexdigest()[:16]}-{name}")
    shutil.move(os.path.join(folder, name), kept)
    return kept


def run(variant, path, workload, threads=1):
    """One run of a program that was built as the variant says. Raises RunError."""
    used = own("used")
    command = [launcher(), used, processors(threads), *variant.command, path, *workload.arguments]
    folder = execute(command, workload, environment_of(variant))
    user, system, elapsed, peak_kb, status = (int(word) for word in shell.read(used).split())
    if status:
        said = last_words(own("stderr"))
        ended = f"signal {status & 127}" if status & 127 else f"status {status >> 8}"
        raise RunError(f"ended with {ended}{': ' if said else ''}{said}")
    with open(own("stdout"), "rb") as file:
        output = hashlib.sha256(file.read()).hexdigest()
    result = Run(user / 1e6, system / 1e6, elapsed / 1e6, peak_kb / 1024, size_of(folder), output)
    shutil.rmtree(folder)
    return result


def count_instructions(variant, path, workload):
    """(instructions of the program and all that it is linked to, {part: those of it}), as callgrind counts them; of a copy without debug information, which
    valgrind need not read."""
    stripped = own("stripped")
    run_quietly(["strip", "--strip-debug", "-o", stripped, path])
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=callgrind.out", stripped, *workload.arguments]
    folder = execute(command, workload, environment_of(variant))
    parts = costs.measure(folder)
    shutil.rmtree(folder)
    with open(own("stderr"), "rb") as file:
        found = re.search(rb"Collected : (\d+)", file.read())
    if not found:
        raise RunError("callgrind told no number of instructions")
    return int(found[1]), parts
