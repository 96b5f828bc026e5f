"""What the tables and charts show: bench/results.json, which is committed. One line for each program and variant; the documents are written from it alone.

    {"machines": [{...}],
     "runs": [{"command", "commit", "first": day, "last": day}],
     "programs": {NAME: {"title", "real", "machine": its number, "version": data.py's, "rounds": how many were measured,
        "errors": {VARIANT: why there is no time},
        "variants": {VARIANT: {"runs": numbers of the runs that measured it, "empty_s": processor time on next to nothing to do,
            "level": the longest workload that it was measured on, "user_s", "peak_mb", "profile_bytes",
            "ratios": {BASE: {"rounds", "user": [median, least, greatest], "total": user and system time, "base_peak_mb"}}}},
        "builds": {BUILD: {"compile_s", "text_bytes", "runtime_bytes"}},
        "instructions": {VARIANT: {"count", "parts", "commit", "empty": {"count", "profile_bytes"}: of a run that has next to nothing to do}}}}}

Every time and size is the median of all runs. A ratio is taken between two runs that follow each other, on one workload (pairs.py); "rounds" of it says how many there
are. What is measured again replaces its line, and the other lines stay. Where another machine or another version measures times of a program, all its lines of times go: a row
of a table is of one machine, and its runs of one order.
"""
import json
import os
import statistics

import data
import pairs
import shell
from variants import VARIANTS

LONGEST_FIRST = ("long", "short", "tiny")
USER, SYSTEM, PEAK, PROFILE = 0, 1, 3, 4  # fields of a cell (data.py)


def geometric_mean(values):
    return statistics.geometric_mean(values) if values and all(value for value in values) else None


# --- from rounds to lines ----------------------------------------------------------------------


def rounded(value):
    return float(f"{value:.6g}") if isinstance(value, float) else value


def median(cells, measure):
    return rounded(statistics.median(measure(cell) for cell in cells))


def user(cell):
    return cell[USER]


def total(cell):
    return cell[USER] + cell[SYSTEM]


def ratio_of(rounds, variant, base, level):
    """None if they never ran beside each other."""
    found = pairs.pairs_of(rounds, f"{variant} {level}", f"{base} {level}")
    if not (ratios := pairs.ratios(found, user)):
        return None
    return {"rounds": len(ratios), "user": [rounded(value) for value in pairs.spread(ratios)], "total": rounded(statistics.median(pairs.ratios(found, total))),
            "base_peak_mb": median([cell for _, cell in found], lambda cell: cell[PEAK])}


def line_of(known_rounds, name):
    """What the tables show of a variant's times; None if there are none."""
    rounds = [one["runs"] for one in known_rounds]
    cells = {level: pairs.runs_of(rounds, f"{name} {level}") for level in (*LONGEST_FIRST, "empty")}
    if not any(cells.values()):
        return None
    line = {"runs": [{"command": one["command"], "commit": one["commit"], "first": one["date"], "last": one["date"]}
                     for one in known_rounds if any(pairs.runs_of([one["runs"]], f"{name} {level}") for level in cells)]}
    if cells["empty"]:
        line["empty_s"] = median(cells["empty"], total)
    if level := next((level for level in LONGEST_FIRST if cells[level]), None):
        line.update(level=level, user_s=median(cells[level], user), peak_mb=median(cells[level], lambda cell: cell[PEAK]),
                    profile_bytes=median(cells[level], lambda cell: cell[PROFILE]))
        ratios = {base: ratio_of(rounds, name, base, level) for base in VARIANTS[name].bases}
        line["ratios"] = {base: ratio for base, ratio in ratios.items() if ratio}
    return line


# --- the file ----------------------------------------------------------------------------------


def spread(value, levels, indent=""):
    """JSON that has a line for each element of the outer `levels`."""
    if not levels or not value or not isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    inner, is_list = indent + " ", isinstance(value, list)
    lines = [inner + ("" if is_list else json.dumps(key) + ": ") + spread(one, levels - 1, inner) for key, one in (enumerate(value) if is_list else value.items())]
    begin, end = "[]" if is_list else "{}"
    return begin + "\n" + ",\n".join(lines) + "\n" + indent + end


class Results:
    def __init__(self, path):
        self.path, self.programs = path, {}
        if os.path.exists(path):
            known = json.loads(shell.read(path))
            self.programs = known["programs"]
            for program in self.programs.values():
                program["machine"] = None if program["machine"] is None else known["machines"][program["machine"]]
            for line in self.lines():
                line["runs"] = [known["runs"][number] for number in line["runs"]]

    def lines(self):
        return [line for program in self.programs.values() for line in program["variants"].values()]

    def program(self, name, known):
        result = self.programs.setdefault(name, {"title": "", "real": False, "machine": None, "rounds": 0, "errors": {}, "variants": {}, "builds": {}, "instructions": {}})
        result.update(title=known["title"], real=known["real"])
        return result

    def take_times(self, machine, name, known, variants):
        """What data.py has of these variants of a program, which were just measured."""
        result = self.program(name, known)
        if (result["machine"], result.get("version")) != (machine, data.VERSION):
            result.update(machine=machine, version=data.VERSION, errors={}, variants={})
        result["rounds"] = len(known["rounds"])
        for variant in variants:
            result["variants"].pop(variant, None)
            if line := line_of(known["rounds"], variant):
                result["variants"][variant] = line
            if variant not in known["errors"]:
                result["errors"].pop(variant, None)

    def take_builds(self, name, known, variants):
        """What was built of these variants, and which fail."""
        result = self.program(name, known)
        for variant in variants:
            build = VARIANTS[variant].build
            if build in known["builds"]:
                result["builds"][build] = known["builds"][build]
        result["errors"].update((variant, text) for variant, text in known["errors"].items() if variant in variants)

    def take_instructions(self, name, known, variants):
        """What data.py has of these variants of a program, which were just counted."""
        for variant in variants:
            if counted := known["instructions"].get(variant):
                self.program(name, known)["instructions"][variant] = {key: counted[key] for key in ("count", "parts", "commit", "empty") if key in counted}

    def save(self):
        """With each run and machine once, which lines and programs refer to by number."""
        days = {}
        for run in (run for line in self.lines() for run in line["runs"]):
            days.setdefault((run["commit"], run["command"]), []).extend((run["first"], run["last"]))
        order = sorted(days, key=lambda key: (min(days[key]), key))
        runs = [{"command": key[1], "commit": key[0], "first": min(days[key]), "last": max(days[key])} for key in order]
        number = {key: place for place, key in enumerate(order)}
        programs = {name: dict(self.programs[name]) for name in sorted(self.programs)}
        machines = []
        for program in programs.values():
            if program["machine"]:
                machines += [program["machine"]] if program["machine"] not in machines else []
                program["machine"] = machines.index(program["machine"])
            program["variants"] = {name: dict(line, runs=sorted({number[run["commit"], run["command"]] for run in line["runs"]}))
                                   for name, line in sorted(program["variants"].items(), key=lambda item: list(VARIANTS).index(item[0]))}
        parts = [f' "machines": {spread(machines, 2, " ")}', f' "runs": {spread(runs, 1, " ")}', f' "programs": {spread(programs, 3, " ")}']
        shell.write(self.path, "{\n" + ",\n".join(parts) + "\n}\n")


# --- what the tables ask for -------------------------------------------------------------------


class View:
    """A program's results."""

    def __init__(self, name, known):
        self.name, self.known = name, known
        self.title, self.real, self.rounds = known["title"], known["real"], known["rounds"]

    def of(self, variant, field):
        """One of a variant's medians, or None."""
        return self.known["variants"].get(variant, {}).get(field)

    def runs(self, variant=None):
        """Of a variant, or of all."""
        return [run for name, line in self.known["variants"].items() if variant in (None, name) for run in line["runs"]]

    def compared(self, variant, base):
        """The ratios of a variant to its base; empty if they never ran in one round."""
        return (self.of(variant, "ratios") or {}).get(base, {})

    def ratio(self, variant, base, system=False):
        """The median ratio of user time (or user and system)."""
        compared = self.compared(variant, base)
        return compared and (compared["total"] if system else compared["user"][0]) or None

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
