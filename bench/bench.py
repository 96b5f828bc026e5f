"""Measures what profiling costs: times, memory, sizes and instructions of programs built by several profilers.

Each round runs every variant of a program once, right before or after a run of what it is compared with (pairs.py), on one processor (programs with
threads: on as many). A ratio is that of these two runs, and the tables show medians of them. Every variant must print what plain -O2 prints. Each round
also runs every variant on next to nothing: its start and end. A peer that fails or is missing says so in the tables.

    scripts/bench                        all programs, 7 rounds, workloads of 2 to 10 s
    scripts/bench --short                workloads of 0.3 to 0.5 s, 5 rounds, slow peers once
    scripts/bench --variants=hcct sqlite one program, plain and one way to profile it
    scripts/bench --variants=modes       the modes of hcct only; main and peers are the other groups of variants.py
    scripts/bench --build-only           compiles what is not compiled yet
    scripts/bench --instructions         counts instructions by callgrind instead of measuring times
    scripts/bench --rewrite              writes tables and charts from the data, and measures nothing

Each complete round is kept in bench/out/rounds.json at once, so a run that was interrupted goes on where it was when it is started again. git ignores that
file. At the end medians go to bench/results.json (results.py), and from there tables and charts to docs/performance/, docs/metrics.md and README.md.
"""
import argparse
import os
import sys

import data
import pairs
import results
import runs
import shell
import tables
from build import BuildError, build, runtime_bytes
from modes import modes_table
from programs import PROGRAMS
from variants import GROUPS, VARIANTS, impossible, level


class Job:
    """A variant of a program, on a workload of some size."""

    def __init__(self, name, binary, size):
        self.name, self.variant, self.binary, self.size = name, VARIANTS[name], binary, size
        self.key = f"{name} {size}"


def say(text):
    print(text, file=sys.stderr, flush=True)


def chosen_variants(text):
    """Those of a list of names, and of groups."""
    names = [name for word in text.split(",") for name in GROUPS.get(word, [word])]
    for name in names:
        if name not in VARIANTS:
            shell.fail(f"no variant {name}; there are {', '.join([*GROUPS, *VARIANTS])}")
    return names


def with_bases(names):
    """And what they are compared with."""
    needed = {"plain", *names, *(base for name in names for base in VARIANTS[name].bases)}
    return [name for name in VARIANTS if name in needed]


def build_all(program, names, known):
    """{variant: Binary} of those that can be built; the others' errors are noted."""
    binaries = {}
    for name in names:
        reason = impossible(VARIANTS[name], program)
        try:
            if not reason:
                binary = binaries[name] = build(program, VARIANTS[name].build)
                known["builds"][VARIANTS[name].build] = {"compile_s": round(binary.compile_s, 2), "text_bytes": binary.text_bytes(),
                                                               "runtime_bytes": runtime_bytes(VARIANTS[name].build)}
        except BuildError as error:
            reason = f"does not build: {error}"
        if reason:
            known["errors"][name] = reason
            say(f"{program.name}-{name}: {reason}")
    if "plain" not in binaries:
        shell.fail(f"{program.name} cannot be built plainly")
    return binaries


# --- rounds ------------------------------------------------------------------------------------


def have(rounds, job, base):
    """How often this job ran beside its base, if it has one."""
    return len(pairs.pairs_of(rounds, job.key, base.key) if base else pairs.runs_of(rounds, job.key))


def wanted_rounds(rounds, job, options):
    """What is slow is measured less often; what proved to take minutes, once."""
    if any(cell[results.USER] > (10 if options.short else 100) for cell in pairs.runs_of(rounds, job.key)):
        return 1
    return (1 if options.short else min(3, options.rounds)) if job.variant.slow else options.rounds


def next_round(program, binaries, known, options):
    """({key: Job}, {key of a base: [keys]}) of what the next round has to run: whatever lacks a round, and the bases of it."""
    jobs, plan = {}, {}
    rounds = [one["runs"] for one in known["rounds"]]
    able = {name: binary for name, binary in binaries.items() if name not in known["errors"]}
    for name, binary in able.items():
        job = Job(name, binary, level(VARIANTS[name], program, options.short))
        bases = [Job(base, able[base], job.size) for base in VARIANTS[name].bases if base in able]
        for base in bases or [None]:
            if have(rounds, job, base) < wanted_rounds(rounds, job, options):
                run = [job, base] if base else [job]
                empty = [Job(one.name, one.binary, "empty") for one in run]
                jobs.update((one.key, one) for one in run + empty)
                plan.setdefault(base.key if base else "", set()).add(job.key)
                plan.setdefault("", set()).update(one.key for one in empty)
    plan.get("", set()).difference_update(plan)  # bases run anyway
    return jobs, plan


def run_job(program, job, outputs):
    """The cell of a run; it must print what the first one on this workload did."""
    result = runs.run(job.variant, job.binary.path, program.workloads[job.size], program.threads)
    if outputs.setdefault(job.size, result.output) != result.output:
        raise runs.RunError("printed something else than clang -O2")
    return [round(value, 6) for value in result[:4]] + [result.profile]


def run_or_note(program, job, outputs, known):
    """The same; None if it fails, or did before."""
    if job.name in known["errors"]:
        return None
    try:
        return run_job(program, job, outputs)
    except runs.RunError as error:
        if job.name == "plain":
            shell.fail(f"{program.name}: {error}")
        known["errors"][job.name] = str(error)
        say(f"{program.name}-{job.name}: {error}")
        return None


def learn_outputs(program, plain, sizes, outputs, known):
    """Plain runs that are not measured tell what is to be printed."""
    for size in sizes:
        if size not in outputs:
            run_or_note(program, Job("plain", plain, size), outputs, known)


def measure_times(program, binaries, known, options, store):
    for name, binary in binaries.items():
        for size in level(VARIANTS[name], program, options.short), "empty":
            work = program.workloads[size].arguments, program.workloads[size].stdin
            data.note_stamp(known, f"{name} {size}", data.stamp(binary.stamp, work, VARIANTS[name]))
        if options.variants and name in options.chosen:
            known["errors"].pop(name, None)  # who asks for it wants it tried again
    outputs, done = {}, 0
    while True:
        jobs, plan = next_round(program, binaries, known, options)
        if not jobs:
            return
        learn_outputs(program, binaries["plain"], sorted({job.size for job in jobs.values()}), outputs, known)
        ran = pairs.run_round(plan, len(known["rounds"]), lambda key: run_or_note(program, jobs[key], outputs, known))
        known["rounds"].append(data.new_round(options.command, ran))
        done += 1
        say(f"{program.name}: round {done}, {sum(map(len, ran.values()))} runs")
        store.save()


def measure_instructions(program, binaries, known, store):
    workload, empty = program.workloads["tiny"], program.workloads["empty"]
    for name, binary in binaries.items():
        stamp = data.stamp(binary.stamp, [one for work in (workload, empty) for one in (work.arguments, work.stdin)], VARIANTS[name])
        if VARIANTS[name].command or VARIANTS[name].clocked or known["instructions"].get(name, {}).get("stamp") == stamp:
            continue
        try:
            count, parts = runs.count_instructions(VARIANTS[name], binary.path, workload)
            empty_count, empty_parts = runs.count_instructions(VARIANTS[name], binary.path, empty)
        except runs.RunError as error:
            say(f"{program.name}-{name}: {error}")
            continue
        known["instructions"][name] = {"count": count, "parts": parts, "stamp": stamp, "commit": shell.commit(),
                                       "empty": {"count": empty_count, "profile_bytes": empty_parts.get("profile_bytes", 0)}}
        say(f"{program.name}-{name}: {count} instructions")
        store.save()


# --- the command -------------------------------------------------------------------------------


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/bench", description="Measures what profiling costs.")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=f"of {', '.join(PROGRAMS)} (default: all)")
    parser.add_argument("--variants", help=f"of {','.join([*GROUPS, *VARIANTS])} (all; instructions: the columns of their table), and what these are compared with")
    parser.add_argument("--short", action="store_true", help="short workloads; slow peers once")
    parser.add_argument("--rounds", type=int, help="measured rounds (7; short: 5)")
    parser.add_argument("--build-only", action="store_true", help="compile only")
    parser.add_argument("--instructions", action="store_true", help="count instructions by callgrind, on tiny workloads; measure no times")
    parser.add_argument("--rewrite", action="store_true", help="write tables and charts from bench/results.json; measure nothing")
    parser.add_argument("--build", default=shell.HCCT, help="the folder where hcct was built (build)")
    parser.add_argument("--no-write", action="store_true", help="print the tables; all data go to build/bench, and documents and bench/results.json stay as they are")
    options = parser.parse_args()
    options.rounds = options.rounds or (5 if options.short else 7)
    options.chosen = chosen_variants(options.variants) if options.variants else [name for name, _ in tables.INSTRUCTIONS] if options.instructions else list(VARIANTS)
    options.command = " ".join(["scripts/bench"] + sys.argv[1:])
    for name in options.programs:
        if name not in PROGRAMS:
            parser.error(f"no program {name}")
    return options


def measure(options, store, found):
    names = with_bases(options.chosen)
    if not options.instructions and not options.build_only:
        store.begin()
    for name in options.programs or PROGRAMS:
        program = PROGRAMS[name]()
        known = store.program(program)
        binaries = build_all(program, names, known)
        if options.instructions:
            measure_instructions(program, binaries, known, store)
            found.take_instructions(name, known, binaries)
        elif not options.build_only:
            measure_times(program, binaries, known, options, store)
            found.take_times(store.machine, name, known, binaries)
            print(tables.quick_table(results.View(name, found.programs[name]), names), flush=True)
        found.take_builds(name, known, names)


def main():
    options = arguments()
    shell.use_build(os.path.abspath(options.build))
    folder, found = shell.source("bench", "out"), results.Results(shell.source("bench", "results.json"))
    if options.no_write:
        folder, found = shell.BUILD, results.Results(os.path.join(shell.BUILD, "medians.json"))
    if not options.rewrite:
        store = data.Data(os.path.join(folder, "rounds.json"))
        measure(options, store, found)
        if options.build_only:
            return
        store.save()
        found.save()
    if options.no_write:
        print(tables.report(found) + tables.instruction_report(found) + modes_table(tables.views_of(found)))
    else:
        tables.write_documents(found)


if __name__ == "__main__":
    main()
