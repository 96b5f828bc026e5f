"""Everything that was measured on this machine: bench/out/rounds.json, which git ignores. results.py takes from it what the tables show.

    {"machine": {...},
     "programs": {NAME: {"title", "real", "exploding", "threads",
        "builds": {BUILD: {"compile_s", "text_bytes", "runtime_bytes"}},
        "stamps": {"VARIANT LEVEL": what these cells were measured with},
        "rounds": [{"date", "commit", "command", "cells": {"VARIANT LEVEL": [user s, system s, elapsed s, peak MB, profile bytes]}}],
        "errors": {VARIANT: why there is no time},
        "instructions": {VARIANT: {"count", "parts", "empty", "stamp", "commit"}}}}}

Times of another machine are not mixed in: they are begun anew. A variant whose build or workload changed loses its cells, and gets new rounds, beside its base.
"""
import datetime
import json
import os
import platform

import shell
from build import digest
from shell import CLANG, first_line


def machine():
    return {"processor": shell.processor_name(), "processors": os.cpu_count(), "kernel": platform.release(),
            "compilers": [first_line([name, "--version"]) for name in (CLANG, "gcc")]}


class Data:
    def __init__(self, path):
        self.path, self.machine, self.programs = path, None, {}
        if os.path.exists(path):
            known = json.loads(shell.read(path))
            self.machine, self.programs = known["machine"], known["programs"]

    def begin(self):
        """Before measuring times."""
        here = machine()
        if self.machine != here:
            self.machine = here
            for program in self.programs.values():
                program.update(rounds=[], stamps={}, errors={})

    def save(self):
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        shell.write(self.path, json.dumps({"machine": self.machine, "programs": self.programs}, indent=1))

    def program(self, program):
        known = self.programs.setdefault(program.name, {"rounds": [], "stamps": {}, "errors": {}, "builds": {}, "instructions": {}})
        known.update(title=program.title, real=program.real, exploding=program.exploding, threads=program.threads)
        return known


def stamp(binary_stamp, work, variant):
    return digest(binary_stamp, work, variant.options, variant.environment, variant.command)[:16]


def note_stamp(known, key, now):
    """Drops what was measured of a variant that is another now."""
    if known["stamps"].get(key) == now:
        return
    known["stamps"][key] = now
    known["errors"].pop(key.split()[0], None)
    for one in known["rounds"]:
        one["cells"].pop(key, None)
    known["rounds"] = [one for one in known["rounds"] if one["cells"]]


def new_round(command):
    return {"date": str(datetime.date.today()), "commit": shell.commit(), "command": command, "cells": {}}
