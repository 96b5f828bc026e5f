"""The papers' laboratory: every table and figure of docs/lab/tables.md and known.md by one command.

    scripts/lab                         everything
    scripts/lab --only=nested,samples   these parts again; the others' data stay. --list names the parts
    scripts/lab --only=pcc:chess        one program of pcc or queues again
    scripts/lab --rewrite               writes the documents anew from the data
    scripts/lab --quick                 two small programs; writes into build/lab-part

The data are in lab/figures/data.json, with the revision that each part was measured on. Each part's are kept at once.
`queues` has times, beside instructions, and wants an idle machine; the others may be measured beside anything.
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
import report
import shell

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data.json")
BY_PROGRAM = {"queues": queues, "pcc": pcc}  # these measure one of their names() at a time


def keep(data, path):
    """A line for each part, so that a version of it is compared with the next one line by line."""
    programs = ",\n".join(json.dumps(program) for program in data["programs"])
    parts = [f'"programs": [\n{programs}\n]']
    parts += [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in data.items() if name != "programs"]
    shell.write(path, "{\n" + ",\n".join(parts) + "\n}\n")


def revision():
    """What is measured: the commit, with a + if files differ from it. Documents and data do not count."""
    git = lambda *words: shell.run_quietly(["git", "-C", shell.SOURCE, *words]).strip()
    return git("rev-parse", "--short=12", "HEAD") + ("+" if git("status", "--porcelain", "-uno", "--", ".", ":!docs", ":!lab/figures/data.json") else "")


def measure_part(name, everything, data):
    """What a part found replaces what the last run had of it."""
    part, _, program = name.partition(":")
    if part in BY_PROGRAM:
        data[part] = BY_PROGRAM[part].measure([program], data.get(part))
    elif part == "known":
        data["known"] = known.measure()
    elif part == "samples":
        data["samples"] = lab.measure_samples()
    else:
        known_ones = {program["name"]: program for program in data["programs"]}
        known_ones[name] = lab.measure(next(subject for subject in everything if subject.name == name))
        data["programs"] = [known_ones[subject.name] for subject in everything if subject.name in known_ones]
    data["revisions"][name] = revision()


def each_program(parts):
    """A part for each program of those that measure one at a time, so that its data are kept at once."""
    return [one for part in parts for one in ([f"{part}:{name}" for name in BY_PROGRAM[part].names()] if part in BY_PROGRAM else [part])]


def write_documents(data, quick):
    """Of what was measured."""
    target = lab.FOLDER if quick else shell.source("docs", "lab")
    os.makedirs(target, exist_ok=True)
    report.write(data, target)
    for name, table in ({} if quick else {"pcc": pcc, "known": known}).items():
        if name in data:
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
    parts = [subject.name for subject in everything] + ([] if options.quick else ["samples", "queues", "pcc", "known"])
    if options.list:
        print("\n".join(parts))
        return
    chosen = [] if options.rewrite else options.only.split(",") if options.only else parts
    if unknown := set(chosen) - set(parts) - set(each_program(BY_PROGRAM)):
        shell.fail(f"no part {', '.join(sorted(unknown))}; there are {', '.join(parts)}")
    path = os.path.join(lab.FOLDER, "data.json") if options.quick else DATA
    data = {"programs": [], "revisions": {}}
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
    write_documents(data, options.quick)


if __name__ == "__main__":
    main()
