"""What was measured: bench/results.json, which is committed, and from which tables and charts are written.

    {"machine": {...},
     "programs": {NAME: {"title", "real", "exploding", "threads",
        "builds": {BUILD: {"compile_s", "text_bytes", "runtime_bytes"}},
        "stamps": {"VARIANT LEVEL": what these cells were measured with},
        "rounds": [{"date", "commit", "command", "cells": {"VARIANT LEVEL": [user s, system s, elapsed s, peak MB, profile bytes]}}],
        "errors": {VARIANT: why there is no time},
        "instructions": {VARIANT: {"count", "parts", "stamp", "commit"}}}}}

A ratio is taken between cells of one round and one workload only, the longest that both have. What another machine measured is not mixed in: times are begun anew
then. A variant whose build or workload changed loses its cells, and gets new rounds, beside its base.
"""
import datetime
import json
import os
import platform
import statistics

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


# --- what the tables show ----------------------------------------------------------------------


LONGEST_FIRST = ("long", "short", "tiny")


class View:
    """A program's data, as the tables ask for them."""

    def __init__(self, name, known):
        self.name, self.known = name, known
        self.title, self.real = known["title"], known["real"]

    def level(self, variant):
        """The longest workload that it was measured on, or None."""
        return next((where for where in LONGEST_FIRST if any(f"{variant} {where}" in one["cells"] for one in self.known["rounds"])), None)

    def values(self, variant, field, where=None):
        """Of each round; the field is a number, or "processor": user and system time."""
        key = f"{variant} {where or self.level(variant)}"
        cells = [one["cells"][key] for one in self.known["rounds"] if key in one["cells"]]
        return [cell[0] + cell[1] if field == "processor" else cell[field] for cell in cells]

    def median(self, variant, field, where=None):
        values = self.values(variant, field, where)
        return statistics.median(values) if values else None

    def ratios(self, variant, base, system=False):
        """User time (or user and system) of each round in which both ran on the same workload, as ratios."""
        where = self.level(variant)
        ours, theirs = f"{variant} {where}", f"{base} {where}"
        pairs = [(one["cells"][ours], one["cells"][theirs]) for one in self.known["rounds"] if ours in one["cells"] and theirs in one["cells"]]
        time = lambda cell: cell[0] + (cell[1] if system else 0)
        return [time(a) / time(b) for a, b in pairs if time(b) > 0]

    def ratio(self, variant, base, system=False):
        ratios = self.ratios(variant, base, system)
        return statistics.median(ratios) if ratios else None

    def instructions(self, variant, base):
        counts = [self.known["instructions"].get(name, {}).get("count") for name in (variant, base)]
        return counts[0] / counts[1] if all(counts) else None

    def costs(self, variant, base):
        """(calls, {part: what a call takes of it more than in `base`}); None if that was not counted. What no part of the runtime takes is in line."""
        ours, plain = (self.known["instructions"].get(name, {}) for name in (variant, base))
        parts = dict(ours.get("parts") or {})
        calls = parts.pop("calls", 0)
        if not calls or "count" not in plain:
            return None
        parts["in line"] = ours["count"] - plain["count"] - sum(parts.values())
        return calls, {part: count / calls for part, count in parts.items()}


def geometric_mean(values):
    return statistics.geometric_mean(values) if values and all(value for value in values) else None
