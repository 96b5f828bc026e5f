"""What MPI_Finalize takes to add up the profiles of P ranks: bytes, instructions, time; and a model for more ranks than fit here.

    scripts/bench-ranks                        4 to 64 ranks, with Open MPI or MPICH, whichever there is
    scripts/bench-ranks --ranks=4,8 --calls=100000

Bytes are those of the messages along the tree (mpi/ranks.c), whose profiles hcct-merge makes again from what the ranks write alone; the
result must be the one that MPI_Finalize left. Instructions are those of hcct-merge of two such sums, by callgrind. Time is that of rank 0's MPI_Finalize with ranks=merge
without that with ranks=each. With more ranks than processors the ranks take turns, so it says little of a cluster: the model does.
"""
import argparse
import math
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BIN = ROOT / "build" / "bin"
# Of the machine that the model is for: bytes a second and seconds of latency of its network, instructions a second of a processor.
BANDWIDTH, LATENCY, SPEED = 10e9, 2e-6, 3e9
# The largest sum of bounded profiles at the defaults: 1/epsilon contexts, each with an entry, its spread and a prefix (format/layout.h).
LARGEST_BYTES = 50000 * (32 + 48 + 24)
# And its strips: 1024 contexts and the rest, in 64 bins.
STRIP_BYTES = 8 * (1 + 64 + 1025 * 65)


def run(command, **environment):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True, env={**os.environ, **environment}).stdout


def merge(out, files):
    run([BIN / "hcct-merge", "-o", out, *files])
    return out


def messages(folder, ranks):
    """The bytes of each message, by step; and the sum of all."""
    parts, steps, step = {rank: folder / f"each.bin.rank{rank}" for rank in range(ranks)}, [], 1
    while step < ranks:
        sent = []
        for rank in range(0, ranks - step, 2 * step):
            sent.append(parts[rank + step].stat().st_size)
            parts[rank] = merge(folder / f"sum{step}-{rank}.bin", [parts[rank], parts[rank + step]])
        steps.append(sent)
        step *= 2
    return steps, parts[0]


def folded(file):
    return run([BIN / "hcct-decode", "--format=folded", "--all", "--by=site", file])


def instructions(folder, one, other):
    """Of hcct-merge of two sums."""
    log = run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/callgrind.out", BIN / "hcct-merge", "-o", folder / "valgrind.bin", one, other]) or ""
    text = (folder / "callgrind.out").read_text()
    return int(re.search(r"^(?:summary|totals): (\d+)", text + log, re.M)[1])


def measure(kind, ranks, calls, options, folder):
    program, launch = folder / "ranks", ["sh", ROOT / "test/mpi/Inputs/run.sh", kind, ranks]
    if not program.exists():
        run(["sh", ROOT / "test/mpi/Inputs/build.sh", kind, BIN / "hcct-cc", ROOT / "bench/programs/ranks.c", "-o", program])
    for old in folder.glob("*.bin*"):
        old.unlink()
    each = float(run([*launch, program, calls], HCCT_OPTIONS=f"{options}:ranks=each:output={folder}/each.bin"))
    merged = float(run([*launch, program, calls], HCCT_OPTIONS=f"{options}:output={folder}/all.bin"))
    steps, total = messages(folder, ranks)
    assert folded(total) == folded(folder / "all.bin"), "the tree of hcct-merge and that of MPI_Finalize differ"
    return {"steps": len(steps), "bytes": sum(map(sum, steps)), "largest": max(map(max, steps)), "file": total.stat().st_size,
            "instructions": instructions(folder, total, total), "seconds": merged - each}


def model(ranks, size, work):
    """Seconds: each step on the longest way is a message, and adding it."""
    return math.ceil(math.log2(ranks)) * (LATENCY + size / BANDWIDTH + work / SPEED)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ranks", default="4,8,16,32,64")
    parser.add_argument("--calls", default="1000000")
    parser.add_argument("--options", default="mode=hcct")
    parser.add_argument("--kind", default="openmpi" if shutil.which("mpirun.openmpi") else "mpich")
    arguments = parser.parse_args()
    print("| ranks | steps | bytes in all messages | largest message | file of all | instructions to add two such | seconds here |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        for ranks in map(int, arguments.ranks.split(",")):
            it = measure(arguments.kind, ranks, arguments.calls, arguments.options, pathlib.Path(name))
            print(f"| {ranks} | {it['steps']} | {it['bytes']:,} | {it['largest']:,} | {it['file']:,} | {it['instructions']:,} | {it['seconds']:.3f} |", flush=True)
    print(f"\nThe model, with messages and work as in the last row, and with the largest messages that there are ({LARGEST_BYTES + STRIP_BYTES:,} bytes):\n")
    print("| ranks | steps | seconds | at the most |\n|---|---|---|---|")
    # Work grows with the contexts. Strips do not, if the last row has all of them.
    of_contexts = it["file"] - STRIP_BYTES if it["file"] > 2 * STRIP_BYTES else it["file"]
    for ranks in (64, 1000, 10000, 100000):
        most = model(ranks, LARGEST_BYTES + STRIP_BYTES, it["instructions"] * LARGEST_BYTES / of_contexts)
        print(f"| {ranks:,} | {math.ceil(math.log2(ranks))} | {model(ranks, it['file'], it['instructions']):.3f} | {most:.2f} |")


if __name__ == "__main__":
    main()
