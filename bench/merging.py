"""What merging takes: time and peak memory by the number of profiles, and by the number of contexts, beside what others take for theirs.

    scripts/bench-merging                                  1,000 to 100,000 profiles; 10,000 to 10 million contexts
    scripts/bench-merging --profiles=10,100 --contexts=10000,100000

Profiles are made from ten real ones of a program (test/compare/Inputs/walks.c): the files of a list name these again and again, so the disk
is not what is measured. Beside hcct-merge: llvm-profdata merge of the raw profiles of the same program, and pprof's merge of the
same profiles as hcct-decode writes them (`pprof -proto`; up to 100 of them, which take a gigabyte). Contexts: two exact profiles of a program with so many.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BIN = ROOT / "build" / "bin"
WALKS = ROOT / "test/compare/Inputs/walks.c"
SEEDS, PPROF_LIMIT = 10, 100


def run(command, **environment):
    subprocess.run(list(map(str, command)), check=True, capture_output=True, env={**os.environ, **environment})


def measure(command):
    """(seconds, MB), or None where it fails."""
    begin = time.monotonic()
    with subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
    return None if status else (time.monotonic() - begin, usage.ru_maxrss / 1024)


def cell(found):
    return "-" if found is None else f"{found[0]:.2f} s, {found[1]:.0f} MB"


def tool(*names):
    return next((found for found in map(shutil.which, names) if found), None)


def make_profiles(folder):
    run([BIN / "hcct-cc", "-O1", "-gline-tables-only", WALKS, "-o", folder / "walks"])
    clang = tool("clang-19", "clang")
    run([clang, "-O1", "-fprofile-instr-generate", WALKS, "-o", folder / "counted"])
    for seed in range(SEEDS):
        run([folder / "walks", seed, 20000, seed], HCCT_OPTIONS=f"output={folder}/{seed}.bin")
        run([folder / "counted", seed, 20000, seed], LLVM_PROFILE_FILE=f"{folder}/{seed}.profraw")
        run([BIN / "hcct-decode", "--all", "--format=pprof", "-o", folder / f"{seed}.pb.gz", folder / f"{seed}.bin"])


def by_profiles(counts, folder):
    profdata, pprof = tool("llvm-profdata-19", "llvm-profdata"), tool("pprof", "google-pprof-go")
    go = [pprof] if pprof else [shutil.which("go"), "tool", "pprof"] if shutil.which("go") else None
    print("| profiles | hcct-merge | llvm-profdata merge | pprof -proto |\n|---|---|---|---|")
    for count in counts:
        for kind in ("bin", "profraw"):
            (folder / f"{kind}.list").write_text("".join(f"{folder}/{i % SEEDS}.{kind}\n" for i in range(count)))
        own = measure([BIN / "hcct-merge", "-o", folder / "all.bin", f"--files-from={folder}/bin.list"])
        llvm = measure([profdata, "merge", "-o", folder / "all.profdata", f"--input-files={folder}/profraw.list"]) if profdata else None
        files = [folder / f"{i % SEEDS}.pb.gz" for i in range(count)]
        other = measure([*go, "-proto", "-output", folder / "all.pb.gz", *files]) if go and count <= PPROF_LIMIT else None
        print(f"| {count:,} | {cell(own)} | {cell(llvm)} | {cell(other)} |", flush=True)


def by_contexts(counts, folder):
    source = ROOT / "bench/programs/contexts.c"
    run([BIN / "hcct-cc", "-O1", source, "-o", folder / "contexts"])
    print("\n| contexts | file | hcct-merge of two |\n|---|---|---|")
    for count in counts:
        run([folder / "contexts", count], HCCT_OPTIONS=f"mode=cct:output={folder}/contexts.bin")
        file = folder / "contexts.bin"
        found = measure([BIN / "hcct-merge", "-o", folder / "sum.bin", file, file])
        print(f"| {count:,} | {file.stat().st_size / 1e6:.1f} MB | {cell(found)} |", flush=True)


def main():
    numbers = lambda text: [int(number) for number in text.split(",") if number]
    parser = argparse.ArgumentParser()
    parser.add_argument("--profiles", type=numbers, default=[1000, 10000, 100000])
    parser.add_argument("--contexts", type=numbers, default=[10000, 100000, 1000000, 10000000])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_profiles(folder)
        by_profiles(arguments.profiles, folder)
        by_contexts(arguments.contexts, folder)


if __name__ == "__main__":
    main()
