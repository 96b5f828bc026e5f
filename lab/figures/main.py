"""The papers' laboratory: every table and figure of accuracy.md, lab.md and known.md by one command.

    scripts/lab                         everything
    scripts/lab --only=nested,replays   these parts again; the others' data stay. --list names the parts
    scripts/lab --only=pcc:chess        one program of pcc, queues or replays again
    scripts/lab --rewrite               writes the documents anew from the data
    scripts/lab --quick                 two small programs; writes into build/lab-part

The data are in lab/figures/data.json, so that any part can be measured alone, on any checkout. Each part's are kept at once.
Two parts depend on the machine: `queues` has times, beside instructions; of `sqlite` and the like the last digits of memory are the allocator's.
"""
import argparse
import json
import os
import sys
import time

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), *parts) for parts in (("..", "..", "bench"), ())]
import known
import lab
import pcc
import queues
import replays
import report
import shell

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data.json")
TABLES = {"replays": replays, "queues": queues, "pcc": pcc, "known": known}  # each measure()s, and write()s its document
BY_PROGRAM = ["replays", "queues", "pcc"]                                     # these measure one of their names() at a time


def keep(data, path):
    """A line for each part, so that a version of it is compared with the next one line by line."""
    programs = ",\n".join(json.dumps(program) for program in data["programs"])
    parts = [f'"programs": [\n{programs}\n]']
    parts += [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in data.items() if name != "programs"]
    shell.write(path, "{\n" + ",\n".join(parts) + "\n}\n")


def measure_part(name, everything, data):
    """What a part found replaces what the last run had of it."""
    if name == "limit":
        data["limit"] = lab.measure_limit()
    elif name.partition(":")[0] in BY_PROGRAM:
        table, _, program = name.partition(":")
        data[table] = TABLES[table].measure([program], data.get(table))
    elif name in TABLES:
        data[name] = TABLES[name].measure()
    else:
        known_ones = {program["name"]: program for program in data["programs"]}
        known_ones[name] = lab.measure(next(subject for subject in everything if subject.name == name))
        data["programs"] = [known_ones[subject.name] for subject in everything if subject.name in known_ones]


def each_program(parts):
    """A part for each program of those that measure one at a time, so that its data are kept at once."""
    return [one for part in parts for one in ([f"{part}:{name}" for name in TABLES[part].names()] if part in BY_PROGRAM else [part])]


def write_documents(data, parts, quick):
    """Of what was measured. accuracy.md needs all its programs."""
    target = lab.FOLDER if quick else shell.source("docs")
    missing = [name for name in parts if name not in TABLES and name != "limit" and name not in (program["name"] for program in data["programs"])]
    if missing:
        print(f"accuracy.md stays as it is: no data yet of {', '.join(missing)}")
    else:
        print(f"{os.path.join(target, 'accuracy.md')}: {report.write(data, target, lab.ALGORITHMS, lab.TAUS)}")
    for name, table in TABLES.items():
        if not quick and name in data:
            table.write(data[name])


def main():
    parser = argparse.ArgumentParser(prog="scripts/lab", description="Measures how well bounded profiles stand for exact ones, and makes the papers' tables and figures.")
    parser.add_argument("--quick", action="store_true", help="two small programs; documents in build/lab-part")
    parser.add_argument("--rewrite", action="store_true", help="measure nothing, write the documents from the data of the last run")
    parser.add_argument("--list", action="store_true", help="name the parts")
    parser.add_argument("--only", help="measure these parts, separated by commas; of the others, the data of the last run are taken")
    parser.add_argument("--build", default=shell.HCCT, help="the folder where hcct was built (build)")
    options = parser.parse_args()
    lab.use_build(os.path.abspath(options.build), options.quick)
    everything = lab.subjects(options.quick)
    parts = [subject.name for subject in everything] + ([] if options.quick else ["limit", *TABLES])
    if options.list:
        print("\n".join(parts))
        return
    chosen = [] if options.rewrite else options.only.split(",") if options.only else parts
    if unknown := set(chosen) - set(parts) - {f"{table}:{name}" for table in BY_PROGRAM for name in TABLES[table].names()}:
        shell.fail(f"no part {', '.join(sorted(unknown))}; there are {', '.join(parts)}")
    path = os.path.join(lab.FOLDER, "data.json") if options.quick else DATA
    data = {"programs": [], "limit": None}
    if os.path.exists(path) and not options.quick:
        data = json.loads(shell.read(path))
    data["command"] = "scripts/lab --quick" if options.quick else "scripts/lab"
    if chosen:
        lab.build_tools()
    for name in each_program(chosen):
        start = time.monotonic()
        measure_part(name, everything, data)
        keep(data, path)
        lab.remove_profiles()
        print(f"{name}: {time.monotonic() - start:.0f} s", file=sys.stderr)
    write_documents(data, parts, options.quick)


if __name__ == "__main__":
    main()
