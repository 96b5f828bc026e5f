"""How good estimates from sampled calls are, and what they cost: Arnold and Sweeney (2000), on Duktape.

The 40 contexts (edges of the calling context tree) that are called most, by an exact run, and what is found of them from samples: one run with
each kind and period. Instructions are those of one round, counted by callgrind; times would tell nothing on a busy machine.

    python3 lab/figures/samples.py          writes the table in docs/sampling.md; some minutes
    python3 lab/figures/samples.py --print  prints only
"""
import argparse
import json
import os
import re
import subprocess
import sys

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), *parts) for parts in (("..", "..", "bench"), ())]
import lab
import programs
import shell

TOP = 40
PERIODS = [1, 59, 307, 1559]
KINDS = [(f"`{kind}`, {period}", f"sample={kind}:period={period}", period in (59, 1559)) for kind in ("calls", "calls-per-function") for period in PERIODS]
KINDS += [("`timer`, 250 Hz", "sample=timer:frequency=250", True)]


def run(subject, binary, options, path):
    command = ["setarch", "-R", binary] + subject.arguments
    done = subprocess.run(command, env=dict(os.environ, LC_ALL="C", HCCT_OPTIONS=f"output='{path}':{options}"), stdout=subprocess.DEVNULL, check=False)
    if done.returncode:
        shell.fail(f"{binary} with {options}: status {done.returncode}")
    return load(path)


def load(path):
    """Each context's count, by its path of functions and sites; and N, and how many calls were counted."""
    done = subprocess.run([os.path.join(shell.HCCT, "bin", "hcct-decode"), "--all", "--format=json", path], stdout=subprocess.PIPE, check=True)
    profile, paths, found = json.loads(done.stdout), [], {}
    for node in profile["nodes"]:
        above = paths[node["parent"]] if node["parent"] >= 0 else ()
        paths.append(hash((above, profile["frames"][node["frame"]]["linkage"], node["site"] and node["site"]["id"])))
        if node["count"]:
            found[paths[-1]] = node["count"]
    estimate = profile.get("estimate")
    return found, profile["calls"], estimate["observed"] if estimate else profile["calls"]


def hottest(counts):
    return sorted(counts, key=lambda path: -counts[path])[:TOP]


def instructions(binary, options):
    """Of a copy without debug information, which valgrind need not read. None: valgrind 3.19 has ended it by chance (bursts.py)."""
    stripped, out = os.path.join(lab.FOLDER, "stripped"), os.path.join(lab.FOLDER, "samples.bin")
    subprocess.run(["strip", "-o", stripped, binary], check=True)
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", stripped] + programs.duktape().workloads["tiny"].arguments
    done = subprocess.run(command, env=dict(os.environ, HCCT_OPTIONS=f"output='{out}':{options}"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if b"during signal delivery" in done.stderr:
        return None
    if done.returncode:
        shell.fail(f"{binary} with {options}: {done.stderr.decode(errors='replace')}")
    return int(re.search(rb"Collected : (\d+)", done.stderr)[1]) / 1e6


def row(title, options, truth, found, cost):
    exact, all_calls, _ = truth
    counts, calls, samples = found
    top, errors, of_calls = hottest(exact), [], calls / all_calls
    is_timer = "timer" in options
    for path in top:  # what a timer finds are shares
        errors.append(abs(counts.get(path, 0) / exact[path] / (of_calls if is_timer else 1) - 1))
    same = len(set(top) & set(hottest(counts)))
    cells = [title, f"{samples:,}".replace(",", " "), "" if is_timer else f"{of_calls:.3f}", f"{same}", f"{100 * sum(errors) / TOP:.1f}%", f"{100 * max(errors):.0f}%",
             f"{len(set(counts) & set(exact)) / len(exact):.1%}", f"{cost:.0f}" if cost else ""]
    return "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(prog="lab/figures/samples.py", description="Measures estimates from sampled calls.")
    parser.add_argument("--print", action="store_true")
    parser.add_argument("--build", default=shell.HCCT, help="the folder where hcct was built (build)")
    options = parser.parse_args()
    lab.use_build(os.path.abspath(options.build), True)
    subject = lab.Subject("duktape", lab.duktape("duktape.js"))
    plain, binary = lab.build_subject(subject, "plain"), lab.build_subject(subject, "hcct")
    path = os.path.join(lab.FOLDER, "samples.bin")
    truth = run(subject, binary, "mode=cct", path)
    lines = [f"| sampled | calls counted | N ÷ exact | of the {TOP} hottest | their mean error | the largest | contexts found | instructions, millions |", "|---|" + "---:|" * 7]
    lines.append(row("every call", "", truth, truth, instructions(binary, "mode=cct")))
    lines.append(f"| no call (`counting=off`) | | | | | | | {instructions(binary, 'counting=off'):.0f} |")
    lines.append(f"| plain clang | | | | | | | {instructions(plain, ''):.0f} |")
    for title, kind, costs in KINDS:
        print(title, file=sys.stderr)
        found = run(subject, binary, "mode=cct:" + kind, path)
        lines.append(row(title, kind, truth, found, instructions(binary, "mode=cct:" + kind) if costs else None))
    size = f"{truth[1]:,} calls in {len(truth[0]):,} contexts".replace(",", " ")
    lines += ["", f"Duktape 2.7 on `bench/workloads/duktape.js`, `mode=cct`: {size}. One run each. Instructions: of one round of the 24, by callgrind."]
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if not options.print:
        shell.write_document(shell.source("docs", "sampling.md"), text, "samples")


if __name__ == "__main__":
    main()
