"""What merging takes: time and peak memory by the number of profiles, and by the number of contexts, beside what others take for theirs.

    scripts/bench-merging                                  10 to 100,000 profiles; 10,000 to 10 million contexts; writes docs/performance/tables.md
    scripts/bench-merging --profiles=10,100 --contexts=10000,100000      prints the tables only; with --write they go into docs/performance/tables.md
    scripts/bench-merging --rewrite                        writes the document again without measuring

Profiles are made from ten real ones of a program (test/compare/Inputs/walks.c): the files of a list name these again and again, so the disk
is not what is measured. Beside hcct-merge: llvm-profdata merge of the raw profiles of the same program, and pprof's merge of the
same profiles as hcct-decode writes them (`go tool pprof -proto`; up to 100 of them, which take 5 GB). Contexts: two exact profiles of a
program with so many. By default it takes less than 12 minutes, 5 GB of memory and 2 GB of disk.
"""
import argparse
import datetime
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import charts
import runs
import scale
import shell

ROOT = pathlib.Path(__file__).resolve().parent.parent
BIN = ROOT / "build" / "bin"
WALKS = ROOT / "test/compare/Inputs/walks.c"
DATA = shell.source("docs", "scale", "merging.json")
SEEDS, PPROF_LIMIT = 10, 100
PROFILES, CONTEXTS = [10, 100, 1000, 10000, 100000], [10000, 100000, 1000000, 10000000]
OWN, SUMS, SORTED, LLVM, PPROF = "hcct-merge", "hcct-merge --no-spread", "hcct-merge --memory=64M", "llvm-profdata merge", "pprof -proto"


def run(command, **environment):
    subprocess.run(list(map(str, command)), check=True, capture_output=True, env={**os.environ, **environment})


def measure(command, folder):
    """(seconds, MB), or None where it fails. The launcher is small: the size of what a process was before its exec counts."""
    used = folder / "used"
    subprocess.run(list(map(str, [runs.launcher(), used, runs.processors(2), *command])), check=True, capture_output=True)
    *_, elapsed, kilobytes, status = map(int, used.read_text().split())
    return None if status else (elapsed / 1e6, kilobytes / 1024)


def tool(*names):
    return next((found for found in map(shutil.which, names) if found), None)


def pprof_command():
    found = tool("pprof", "google-pprof-go")
    return [found] if found else [shutil.which("go"), "tool", "pprof"] if shutil.which("go") else None


def make_profiles(folder):
    run([BIN / "hcct-cc", "-O1", "-gline-tables-only", WALKS, "-o", folder / "walks"])
    run([tool("clang-19", "clang"), "-O1", "-fprofile-instr-generate", WALKS, "-o", folder / "counted"])
    for seed in range(SEEDS):
        run([folder / "walks", seed, 20000, seed], HCCT_OPTIONS=f"output={folder}/{seed}.bin")
        run([folder / "counted", seed, 20000, seed], LLVM_PROFILE_FILE=f"{folder}/{seed}.profraw")
        run([BIN / "hcct-decode", "--all", "--format=pprof", "-o", folder / f"{seed}.pb.gz", folder / f"{seed}.bin"])


def by_profiles(counts, folder):
    profdata, pprof = tool("llvm-profdata-19", "llvm-profdata"), pprof_command()
    for count in counts:
        for kind in ("bin", "profraw"):
            (folder / f"{kind}.list").write_text("".join(f"{folder}/{i % SEEDS}.{kind}\n" for i in range(count)))
        row = {"profiles": count, OWN: measure([BIN / "hcct-merge", "-o", folder / "all.bin", f"--files-from={folder}/bin.list"], folder)}
        if profdata:
            row[LLVM] = measure([profdata, "merge", "-o", folder / "all.profdata", f"--input-files={folder}/profraw.list"], folder)
        if pprof and count <= PPROF_LIMIT:
            row[PPROF] = measure([*pprof, "-proto", "-output", folder / "all.pb.gz", *(folder / f"{i % SEEDS}.pb.gz" for i in range(count))], folder)
        yield row


def by_contexts(counts, folder):
    run([BIN / "hcct-cc", "-O1", ROOT / "bench/programs/contexts.c", "-o", folder / "contexts"])
    file = folder / "contexts.bin"
    for count in counts:
        run([folder / "contexts", count], HCCT_OPTIONS=f"mode=cct:output={file}")
        row = {"contexts": count, "bytes": file.stat().st_size, OWN: measure([BIN / "hcct-merge", "-o", folder / "sum.bin", file, file], folder)}
        row[SUMS] = measure([BIN / "hcct-merge", "--no-spread", "-o", folder / "sum.bin", file, file], folder)
        row[SORTED] = measure([BIN / "hcct-merge", "--memory=64M", "-o", folder / "sum.bin", file, file], folder)
        yield row


def cells(row, names):
    return ["" if row.get(name) is None else f"{row[name][0]:.2f} s, {row[name][1]:.0f} MB" for name in names]


def profile_table(rows):
    names = [OWN, LLVM, PPROF]
    return scale.table(["profiles", *names], [[f"{row['profiles']:,}", *cells(row, names)] for row in rows])


def context_table(rows):
    names = [name for name in (OWN, SUMS, SORTED) if any(row.get(name) for row in rows)]  # older data lack some
    return scale.table(["contexts", "file, MB", *(f"`{name}` of two" for name in names)],
                       [[f"{row['contexts']:,}", f"{row['bytes'] / 1e6:.1f}", *cells(row, names)] for row in rows])


def draw(name, title, rows, key, names):
    whole = lambda value: f"{value:,.0f}"
    for part, (what, unit) in enumerate((("time", "seconds"), ("memory", "megabytes"))):
        lines = {known: [(row[key], row[known][part]) for row in rows if row.get(known)] for known in names}
        lines = {known: points for known, points in lines.items() if points}
        across = charts.logarithmic_axis(key, [row[key] for row in rows], whole)
        up = charts.logarithmic_axis(unit, [y for points in lines.values() for _, y in points])
        shell.write(shell.source("docs", "scale", f"merging-{name}-{what}.svg"), charts.line_chart(f"{title}: {what}", across, up, lines))


def rewrite(data):
    shell.write_document(shell.TABLES, f"{profile_table(data['profiles'])}\n{data['machine']}\n", "merging")
    shell.write_document(shell.TABLES, context_table(data["contexts"]), "contexts")
    draw("profiles", "Merging, by the number of profiles", data["profiles"], "profiles", [OWN, LLVM, PPROF])
    draw("contexts", "Merging two exact profiles, by their contexts", data["contexts"], "contexts", [OWN, SUMS, SORTED])


def main():
    numbers = lambda text: [int(number) for number in text.split(",") if number]
    parser = argparse.ArgumentParser(prog="scripts/bench-merging")
    parser.add_argument("--profiles", type=numbers, default=PROFILES)
    parser.add_argument("--contexts", type=numbers, default=CONTEXTS)
    parser.add_argument("--write", action="store_true", help="write docs/performance/tables.md, whatever the sizes")
    parser.add_argument("--rewrite", action="store_true", help="write docs/performance/tables.md from the last data")
    options = parser.parse_args()
    if options.rewrite:
        rewrite(json.loads(shell.read(DATA)))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_profiles(folder)
        data = {"profiles": list(by_profiles(options.profiles, folder)), "contexts": list(by_contexts(options.contexts, folder))}
    is_whole = (options.profiles, options.contexts) == (PROFILES, CONTEXTS)
    chosen = "" if is_whole else f" --profiles={','.join(map(str, options.profiles))} --contexts={','.join(map(str, options.contexts))} --write"
    data["machine"] = (f"One run each, elapsed time and peak memory. {datetime.date.today()}, {shell.processor_name()}, {os.cpu_count()} processors, "
                       f"made by `scripts/bench-merging{chosen}`.")
    print(f"{profile_table(data['profiles'])}\n{context_table(data['contexts'])}\n{data['machine']}")
    if is_whole or options.write:
        shell.write(DATA, json.dumps(data, indent=1) + "\n")
        rewrite(data)


if __name__ == "__main__":
    main()
