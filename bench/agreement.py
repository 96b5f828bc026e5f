"""Holds the contexts and lines of metric=time against those of `perf record -e cpu-clock --call-graph=dwarf`, which unwinds stacks: both sample
the same run. Of the contexts that either has among its 20 largest, each share may differ by 2 points, or by three standard errors of
two samples where that is more; so do lines, which addr2line finds for perf. Frames that are not instrumented are left out of perf's stacks.
Status 1 if one differs by more.

    scripts/agreement                 the programs of docs/metrics.md
    scripts/agreement duktape chess   these, of bench/programs.py

Builds are in build/bench/agreement: -O2 without sibling calls, whose callers no unwinder sees. The last column is of a build that has
them: the share of samples with callers that are marked as unknown.
"""
import argparse
import collections
import csv
import os
import re
import shutil
import subprocess
import sys

import shell
from programs import PROGRAMS
from shell import fail, run_quietly

TOP, POINTS, FREQUENCY = 20, 0.02, 250


def file_of(name=""):
    return os.path.join(shell.BUILD, "agreement", name)


def function_names(path):
    lines = run_quietly(["nm", "--defined-only", path]).splitlines()
    return collections.Counter(fields[2] for fields in (line.split() for line in lines) if len(fields) == 3 and fields[1] in "tTwW")


def runtime_names(binary):
    """Of the functions of libhcct.a in it, whose time is that of the context that they work for. Names that the program has, too, are not among them."""
    runtime, all_names = function_names(os.path.join(shell.HCCT, "lib", "libhcct.a")), function_names(binary)
    return {name for name in runtime if all_names[name] <= runtime[name]} | {"_start"}


def plain_name(name):
    return re.sub(r"\.(llvm|constprop|part|isra|cold).*", "", name)


def folded_lines(profile):
    decode = os.path.join(shell.HCCT, "bin", "hcct-decode")
    folded = run_quietly([decode, "--format=folded", "--all", "--no-inlines", "--no-demangle", "--max-depth=0", profile])
    for line in folded.splitlines():
        path, _, count = line.rpartition(" ")
        yield path, count


def profile_paths(profile):
    """Samples by context, as hcct tells them."""
    paths = collections.Counter()
    for path, count in folded_lines(profile):
        kept = tuple(plain_name(name) for name in path.split(";") if not name.startswith("["))
        paths[kept] += int(count) * FREQUENCY / 1e9
    return paths


def profile_lines(profile):
    """Samples by line, as hcct tells them: (file, line)."""
    decode = os.path.join(shell.HCCT, "bin", "hcct-decode")
    rows = csv.DictReader(run_quietly([decode, "--view=peek=.", "--top=1000000", "--all", "--format=csv", profile]).splitlines())
    lines = collections.Counter()
    for row in rows:
        if row["section"] == "lines":
            lines[os.path.basename(row["file"]), int(row["line"] or 0)] += int(row["time"]) * FREQUENCY / 1e9
    return lines


def addresses_of(binary, offsets):
    """perf tells where in its file an instruction stands."""
    segments = [[int(field, 16) for field in line.split()[1:5]] for line in run_quietly(["readelf", "-lW", binary]).splitlines()
                if line.split()[:1] == ["LOAD"]]
    return [next(offset - start + address for start, address, _, size in segments if start <= offset < start + size) for offset in offsets]


def lines_of(binary, addresses):
    """The line of the innermost function at each address; 0: none."""
    found = run_quietly(["addr2line", "-e", binary, *(f"{address:#x}" for address in addresses)]).splitlines()
    for address, line in zip(addresses, found):
        file, _, number = line.split(" (")[0].rpartition(":")
        yield os.path.basename(file), int(number) if number.isdigit() else 0


def perf_samples(data, binary, left_out):
    """Samples by context and by line, as perf unwinds them. A caller stands at what it returns to."""
    text = run_quietly(["perf", "script", "-i", data, "--no-inline", "-F", "ip,sym,dso"])
    paths, offsets = collections.Counter(), collections.Counter()
    for block in text.split("\n\n"):
        path, offset = [], None
        for depth, line in enumerate(block.strip("\n").splitlines()):
            found = re.match(r"\s*([0-9a-f]+) (.+?)(?:\+0x[0-9a-f]+)? \((.*)\)$", line)
            if found and found[3] == binary and found[2] not in left_out:
                path.append(plain_name(found[2]))
                offset = offset or int(found[1], 16) - (depth > 0)
        if block.strip():
            paths[tuple(reversed(path))] += 1
            offsets[offset] += 1
    del offsets[None]
    lines = collections.Counter()
    for offset, line in zip(offsets, lines_of(binary, addresses_of(binary, offsets))):
        lines[line if line[1] else ("", 0)] += offsets[offset]
    return paths, lines


def run(program, flags, under=()):
    """Builds it so, and runs it; returns the binary and the profile."""
    binary, profile = (file_of(program.name + suffix) for suffix in ("", ".bin"))
    run_quietly([os.path.join(shell.HCCT, "bin", "hcct-cc"), "-O2", "-gline-tables-only", "-w", *flags, *program.flags, *program.sources,
                 *program.libraries, "-o", binary])
    workload = program.workloads["long"]
    environment = dict(os.environ, HCCT_OPTIONS=f"metric=time:mode=cct:frequency={FREQUENCY}:output={profile}")
    subprocess.run([*under, binary, *workload.arguments], input=(workload.stdin or "").encode(), env=environment, check=True,
                   stdout=subprocess.DEVNULL, cwd=file_of())
    return binary, profile


def unknown_share(program):
    """The share of the samples of a usual build in whose contexts callers may be missing."""
    _, profile = run(program, [])
    counts = [(int(count), ";[unknown];" in path) for path, count in folded_lines(profile)]
    return sum(count for count, is_unknown in counts if is_unknown) / sum(count for count, _ in counts)


def sample(program):
    """Runs it under both; the samples of either by context."""
    data = file_of(program.name + ".data")
    binary, profile = run(program, ["-fno-omit-frame-pointer", "-fno-optimize-sibling-calls"],
                          ["perf", "record", "-q", "-e", "cpu-clock", "-F", str(FREQUENCY), "--call-graph=dwarf,32768", "-o", data])
    paths, lines = perf_samples(data, binary, runtime_names(binary))
    os.unlink(data)
    return {"contexts": (profile_paths(profile), paths), "lines": (profile_lines(profile), lines)}


def compare(ours, theirs):
    """(context, share here, share there, what it may differ by) of the largest of both."""
    n, m = sum(ours.values()), sum(theirs.values())
    largest = {path for paths in (ours, theirs) for path, _ in paths.most_common(TOP)}
    for path in largest:
        here, there, both = ours[path] / n, theirs[path] / m, (ours[path] + theirs[path]) / (n + m)
        yield path, here, there, max(POINTS, 3 * (both * (1 - both) * (1 / n + 1 / m)) ** 0.5)


def main():
    parser = argparse.ArgumentParser(prog="scripts/agreement", description=__doc__.split("\n\n")[0])
    parser.add_argument("names", nargs="*", metavar="PROGRAM", default=["duktape", "sqlite", "compress", "chess", "parser"])
    parser.add_argument("--build", help="where hcct was built (build/)")
    options = parser.parse_args()
    if options.build:
        shell.use_build(os.path.abspath(options.build))
    if not shutil.which("perf"):
        fail("perf is not installed")
    shutil.rmtree(file_of(), ignore_errors=True)
    os.makedirs(file_of())
    wrong = []
    print("| program | samples: hcct | perf | compared | | share of the time | largest difference, points | mean | unknown callers |\n"
          "|---|---:|---:|---:|---|---:|---:|---:|---:|")
    for name in options.names:
        program = PROGRAMS[name]()
        samples = sample(program)
        unknown = f"{100 * unknown_share(program):.1f}%"
        for what, (ours, theirs) in samples.items():
            rows = list(compare(ours, theirs))
            differences = [100 * abs(here - there) for _, here, there, _ in rows]
            covered = 100 * sum(here for _, here, _, _ in rows)
            print(f"| {program.title} | {sum(ours.values()):.0f} | {sum(theirs.values())} | {len(rows)} | {what} | {covered:.0f}% |"
                  f" {max(differences):.2f} | {sum(differences) / len(rows):.2f} | {unknown if what == 'contexts' else ''} |", flush=True)
            wrong += [(name, *row) for row in rows if abs(row[1] - row[2]) > row[3]]
    for name, key, here, there, allowed in wrong:
        print(f"{name}: {';'.join(map(str, key)) or '(none)'}: {100 * here:.2f}% here, {100 * there:.2f}% by perf", file=sys.stderr)
    sys.exit(bool(wrong))


main()
