"""Everything that was measured on this machine: bench/out/rounds.json, which git ignores. results.py takes from it what the tables show.

    {"version": of this format and of the order of runs, "machine": {...},
     "programs": {NAME: {"title", "real", "exploding", "threads",
        "builds": {BUILD: {"compile_s", "text_bytes", "runtime_bytes"}},
        "stamps": {"VARIANT LEVEL": what these cells were measured with},
        "rounds": [{"date", "commit", "command", "runs": {"BASE LEVEL": [["VARIANT LEVEL", [user s, system s, elapsed s, peak MB, profile bytes]], ...]}}],
        "errors": {VARIANT: why there is no time},
        "instructions": {VARIANT: {"count", "parts", "empty", "stamp", "commit"}}}}}

The runs of a round are as pairs.py made them. Times of another machine, or of another version, are not mixed in: they are begun anew. A variant whose build
or workload changed loses its runs, and gets new rounds, beside its base.
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


VERSION = 2  # 1 had no version: it did not keep in which order runs were made, and bases ran somewhere in the round


class Data:
    def __init__(self, path):
        self.path, self.machine, self.programs = path, None, {}
        if os.path.exists(path):
            known = json.loads(shell.read(path))
            self.machine, self.programs = known["machine"], known["programs"]
            if known.get("version") != VERSION:
                self.drop_times()

    def drop_times(self):
        for program in self.programs.values():
            program.update(rounds=[], stamps={}, errors={})

    def begin(self):
        """Before measuring times."""
        here = machine()
        if self.machine != here:
            self.machine = here
            self.drop_times()

    def save(self):
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        shell.write(self.path, json.dumps({"version": VERSION, "machine": self.machine, "programs": self.programs}, indent=1))

    def program(self, program):
        known = self.programs.setdefault(program.name, {"rounds": [], "stamps": {}, "errors": {}, "builds": {}, "instructions": {}})
        known.update(title=program.title, real=program.real, exploding=program.exploding, threads=program.threads)
        return known


def stamp(binary_stamp, work, variant):
    return digest(binary_stamp, work, variant.options, variant.environment, variant.command)[:16]


def note_stamp(known, key, now):
    """Drops what was measured of a variant that is another now. Its places stay, as what was on both sides of one did not run one after the other."""
    if known["stamps"].get(key) == now:
        return
    known["stamps"][key] = now
    known["errors"].pop(key.split()[0], None)
    for one in known["rounds"]:
        one["runs"] = {base: [[name, None if name == key else run] for name, run in runs] for base, runs in one["runs"].items()}
    known["rounds"] = [one for one in known["rounds"] if any(run for runs in one["runs"].values() for _, run in runs)]


def new_round(command, runs):
    return {"date": str(datetime.date.today()), "commit": shell.commit(), "command": command, "runs": runs}
