"""Builds and runs the programs of test suites that others wrote, beside plain clang, at several levels and in both modes, and prints a
table of how they do and a list of those that differ, each with the commands that show it. Fetches nothing. Status 1 if any differs.

    scripts/foreign --gcc=DIR --libstdcxx=DIR --llvm=DIR --libcxxabi=DIR --glibc=DIR --libc-test=DIR --uftrace=DIR      what there is of them
    scripts/foreign --llvm=DIR --only='*/UnitTests/*' --levels=-O2 --modes=cct --shadow

A program is left out where it does not compile by plain clang, does not end in time, ends by a signal or (but for llvm-test-suite and
uftrace) with another status than 0, or does not print the same twice. It does "the same" if it prints the same on stdout and ends with the
same status, and hcct-decode calls its profile sound; "not sound", if only the last is missing; "no profile", if there is none.
Programs run as nobody where this runs as root, in a folder of their own."""
import argparse
import collections
import concurrent.futures
import fnmatch
import glob
import hashlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import suites

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OUTCOMES = ("same", "not sound", "no profile", "differs")
LATE = object()
NOT_RUN = (126, 127) # the shell's
PATIENCE = 20 # times the timeout, for a program that ended within it without us


class Runner:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder
        self.bin = os.path.join(arguments.build, "bin")
        self.end = time.monotonic() + 60 * arguments.minutes
        self.user = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}

    def compiler(self, program, plain):
        if plain:
            return ["clang++-19" if program.is_cpp else "clang-19"]
        return [os.path.join(self.bin, "hcct-c++" if program.is_cpp else "hcct-cc")]

    def build(self, program, level, to, plain, shadow=False):
        """The command, and what was wrong with it."""
        flags = shlex.split("-O2 -flto -fuse-ld=lld" if level == "-flto" else level)
        libraries = [os.path.join(self.arguments.build, "test", "libshadow.a")] if shadow else []
        command = [*self.compiler(program, plain), *flags, *program.flags, program.source, *libraries, *program.libraries, "-o", to]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=300, check=False,
                                  env=dict(os.environ, **({"HCCT_SHADOW": "1"} if shadow else {})))
        except subprocess.TimeoutExpired:
            return command, "does not compile in 300 s"
        error = done.stderr.decode(errors="replace").strip()
        return command, "" if done.returncode == 0 else error or f"status {done.returncode}"

    def run(self, executable, environment=None, patience=1):
        """(status, stdout), and the folder that it ran in; status None: it did not end. The name and place of the executable are always of the
        same length, as it may tell them."""
        place = tempfile.mkdtemp(dir=self.folder)
        os.chmod(place, 0o777)
        program = os.path.join(place, "program")
        os.link(executable, program) # no copy: a child that another thread just forked would still have it open for writing (ETXTBSY)
        settings = dict({key: value for key, value in os.environ.items() if not key.startswith("HCCT_")}, TMPDIR=place, HOME=place,
                        **{key: value.format(place) for key, value in (environment or {}).items()})
        with open(os.path.join(place, "stdout"), "w+b") as out:
            process = subprocess.Popen(["sh", "-c", 'ulimit -c 0; ulimit -f 2000000; exec "$0"', program], cwd=place, env=settings, stdin=subprocess.DEVNULL,
                                       stdout=out, stderr=subprocess.DEVNULL, start_new_session=True, **self.user)
            try:
                status = process.wait(timeout=self.arguments.timeout * patience)
            except subprocess.TimeoutExpired:
                status = None
            try:
                os.killpg(process.pid, signal.SIGKILL) # its children, too
            except ProcessLookupError:
                pass
            process.wait()
            out.seek(0)
            return (status, out.read(1 << 24).replace(place.encode(), b"PLACE")), place

    def run_once(self, executable, **settings):
        result, place = self.run(executable, **settings)
        shutil.rmtree(place, ignore_errors=True)
        return result

    def look(self, place):
        """What hcct-decode says of the profiles that a run left: an outcome and its reason."""
        profiles = sorted(glob.glob(os.path.join(place, "ids.bin*")))
        if not profiles:
            return "no profile", ""
        for profile in profiles:
            try:
                done = subprocess.run([os.path.join(self.bin, "hcct-decode"), profile], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, check=False)
            except subprocess.TimeoutExpired:
                return "not sound", "hcct-decode does not end in 300 s"
            lines = done.stdout.decode(errors="replace").splitlines()
            if done.returncode:
                return "not sound", done.stderr.decode(errors="replace").strip()
            if lines and not any(line.startswith(("sound", "no calls")) for line in lines[:12]) and len(lines) > 1:
                return "not sound", next((line for line in lines[:12] if line.startswith("not ")), lines[0])
        return "same", ""

    def compare_shadow(self, program, level, folder):
        """The exact tree that the shadow oracle keeps, beside the profile. A reason, or nothing."""
        executable = os.path.join(folder, "shadow")
        _, error = self.build(program, level, executable, False, shadow=True)
        if error:
            return "with HCCT_SHADOW=1: " + error
        _, place = self.run(executable, {"HCCT_OPTIONS": "mode=cct:output={}/ids.bin", "HCCT_SHADOW_FILE": "{}/shadow.txt"}, PATIENCE)
        profile, tree, text = (os.path.join(place, name) for name in ("ids.bin", "ids.json", "shadow.txt"))
        reason = ""
        if os.path.exists(text) and glob.glob(profile + "*") == [profile]: # one process
            decode = [os.path.join(self.bin, "hcct-decode"), "--format=json", "--all", "-o", tree, profile]
            for command in (decode, [sys.executable, os.path.join(SOURCE, "test/oracle/compare.py"), tree, text]):
                done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
                if done.returncode:
                    reason = "not as the shadow oracle: " + " / ".join(done.stdout.decode(errors="replace").splitlines()[:3])
                    break
        shutil.rmtree(place, ignore_errors=True)
        return reason


def describe(before, now):
    if now[0] is None:
        return "does not end"
    if before[0] != now[0]:
        return f"ends with {now[0]}, not {before[0]}"
    return "prints something else"


def run_mode(runner, executable, mode, expected):
    """The outcome, and the reason."""
    options = {"HCCT_OPTIONS": f"mode={mode}:output={{}}/ids.bin"}
    result, place = runner.run(executable, options, PATIENCE)
    try:
        if result != expected:
            return "differs", describe(expected, result)
        return runner.look(place)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def try_program(runner, program, level):
    """mode -> (outcome, reason, command); None: it is left out; LATE: not begun."""
    if time.monotonic() > runner.end:
        return LATE
    with tempfile.TemporaryDirectory(dir=runner.folder) as folder:
        os.chmod(folder, 0o755)
        plain, ours = os.path.join(folder, "plain"), os.path.join(folder, "ours")
        if runner.build(program, level, plain, True)[1]:
            return None
        expected = runner.run_once(plain)
        if expected[0] is None or expected[0] < 0 or expected[0] in NOT_RUN or (expected[0] and not program.any_status) or runner.run_once(plain) != expected:
            return None
        command, error = runner.build(program, level, ours, False)
        command = shlex.join(command[:-1] + ["program"])
        if error:
            return {mode: ("differs", "does not build: " + error.splitlines()[0], command) for mode in runner.arguments.modes}
        results = {}
        for mode in runner.arguments.modes:
            outcome, reason = run_mode(runner, ours, mode, expected)
            if outcome == "differs" and (runner.run_once(plain) != expected or runner.run_once(plain) != expected):
                return None
            results[mode] = outcome, reason, f"{command} && HCCT_OPTIONS=mode={mode} ./program"
        if runner.arguments.shadow and results.get("cct", ("",))[0] == "same":
            reason = runner.compare_shadow(program, level, folder)
            results["cct"] = ("differs" if reason else "same", reason, results["cct"][2])
        return results


def print_table(counts, left_out):
    widths = [max(len(text), 9) for text in ("ran", *OUTCOMES, "left out")]
    print(f"{'suite':<10} {'level':<6} {'mode':<5}" + "".join(f" {text:>{width}}" for text, width in zip(("ran", *OUTCOMES, "left out"), widths)))
    for (suite, level, mode), outcomes in counts.items():
        row = [sum(outcomes.values()), *(outcomes[outcome] for outcome in OUTCOMES), left_out[suite, level]]
        print(f"{suite:<10} {level:<6} {mode:<5}" + "".join(f" {number:>{width}}" for number, width in zip(row, widths)))


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in suites.NAMES:
        parser.add_argument("--" + name.replace("_", "-"), metavar="DIR", help="the suite's sources")
    parser.add_argument("--levels", default="-O0,-O2,-flto", help="-flto is -O2 -flto, by lld")
    parser.add_argument("--modes", default="hcct,cct")
    parser.add_argument("--only", default="*", metavar="GLOB", help="sources whose path it matches")
    parser.add_argument("--one-in", type=int, default=1, metavar="N", help="every N-th program")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no program after that; they come in a mixed order then")
    parser.add_argument("--timeout", type=float, default=5, metavar="SECONDS", help=f"of the plain program; ours has {PATIENCE} times that")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--shadow", action="store_true", help="hold mode=cct against the shadow oracle, too")
    parser.add_argument("--build", default=os.path.join(SOURCE, "build"), help="where hcct was built")
    arguments = parser.parse_args()
    arguments.build = os.path.abspath(arguments.build)
    arguments.levels, arguments.modes = arguments.levels.split(","), arguments.modes.split(",")
    return arguments


def main():
    arguments = parse()
    folders = {name: os.path.abspath(getattr(arguments, name)) for name in suites.NAMES if getattr(arguments, name)}
    work = os.path.join(arguments.build, "foreign")
    os.makedirs(work, exist_ok=True)
    programs = [program for program in suites.every(folders, work) if fnmatch.fnmatch(program.source, arguments.only)][::arguments.one_in]
    if arguments.minutes != float("inf"):
        programs.sort(key=lambda program: hashlib.md5(os.path.basename(program.source).encode()).digest())
    counts, left_out, differing = collections.OrderedDict(), collections.Counter(), []
    with tempfile.TemporaryDirectory(prefix="foreign.", dir="/tmp") as folder, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        os.chmod(folder, 0o755)
        runner = Runner(arguments, folder)
        tasks = [(program, level, pool.submit(try_program, runner, program, level)) for program in programs for level in arguments.levels]
        for done, (program, level, task) in enumerate(tasks, 1):
            results = task.result()
            if results is LATE:
                continue
            left_out[program.suite, level] += results is None
            for mode in arguments.modes:
                counts.setdefault((program.suite, level, mode), collections.Counter())
            for mode, (outcome, reason, command) in (results or {}).items():
                counts[program.suite, level, mode][outcome] += 1
                if outcome != "same":
                    differing.append((outcome, reason, command))
                    print(f"{outcome}: {reason}\n    {command}", flush=True)
            if sys.stderr.isatty():
                print(f"\r{done} of {len(tasks)}", end="", file=sys.stderr)
    print()
    print_table(counts, left_out)
    sys.exit(any(outcome != "same" for outcome, _, _ in differing))


if __name__ == "__main__":
    main()
