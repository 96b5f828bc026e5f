"""What a change of the phase costs (hcct_phase), in instructions, counted by callgrind: the difference of two runs that differ in changes only.

    python3 bench/phases.py         by mode, threads that wait meanwhile, and contexts that each phase counts in between
"""
import os
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BIN = ROOT / "build" / "bin"
FEW, MANY = 200, 600


def count(program, folder, options, *arguments):
    out = folder / "callgrind.out"
    subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", program, *map(str, arguments)], check=True, capture_output=True,
                   env={**os.environ, "HCCT_OPTIONS": f"{options}:output={folder}/ids.bin"})
    return int(re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.M)[1])


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for built, compiler in (("with", BIN / "hcct-cc"), ("without", "clang-19")):
            subprocess.run([compiler, "-O1", f"-I{ROOT}/include", ROOT / "bench/programs/phases.c", "-lpthread", "-o", folder / built], check=True)
        print("| mode | threads | contexts in each phase | instructions a change |\n|---|---:|---:|---:|")
        for mode in ("hcct", "cct"):
            for threads, contexts in ((0, 1), (0, 100), (0, 1000), (8, 1), (64, 1)):
                each = [(count(folder / built, folder, f"mode={mode}", MANY, threads, contexts) - count(folder / built, folder, f"mode={mode}", FEW, threads, contexts)) / (MANY - FEW)
                        for built in ("with", "without")]
                print(f"| `{mode}` | {threads} | {contexts:,} | {each[0] - each[1]:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
