"""Where things are, and commands that are run for their effect or their text."""
import functools
import os
import platform
import re
import subprocess
import sys

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HCCT = os.path.join(SOURCE, "build")    # where hcct was built
BUILD = os.path.join(HCCT, "bench")     # where programs are built and run
CLANG = "clang-19"


def use_build(folder):
    """Another build of hcct."""
    global HCCT, BUILD
    HCCT, BUILD = folder, os.path.join(folder, "bench")
    os.makedirs(BUILD, exist_ok=True)


def fail(message):
    sys.exit(f"{os.path.basename(sys.argv[0])}: {message}")


def source(*parts):
    return os.path.join(SOURCE, *parts)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    """All of it or nothing: what was there stays until the new text is complete."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".new", path)


def run_quietly(command, **settings):
    """What it prints; ends the program if it fails."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **settings)
    if done.returncode:
        fail(f"{' '.join(command)}:\n{done.stdout.decode(errors='replace')}")
    return done.stdout.decode(errors="replace")


def first_line(command):
    return run_quietly(command).splitlines()[0]


def processor_name():
    found = re.search(r"model name\s*: (.*)", read("/proc/cpuinfo"))
    return found.group(1) if found else platform.machine()


@functools.cache
def commit():
    """What is measured: the commit when this run began, with a + if files differ from it."""
    done = subprocess.run(["git", "-C", SOURCE, "describe", "--always", "--dirty=+", "--exclude=*"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return done.stdout.decode().strip() or "unknown"


TABLES = source("docs", "performance", "tables.md")  # what was measured, of all scripts


def write_document(path, text, what=""):
    """Puts a text between the marks of a document."""
    begin, end = f"<!-- scripts/bench writes {what + ' ' if what else ''}from here -->", "<!-- to here -->"
    before, rest = read(path).split(begin)
    after = rest.split(end, 1)[1]
    write(path, f"{before}{begin}\n{text}{end}{after}")
