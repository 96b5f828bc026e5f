#!/usr/bin/env python3
"""Builds and runs random programs with and without instrumentation, and holds their profiles against what is known to be true.

usage: run.py books|csmith [--build FOLDER] [--first SEED] [--count N] [--runs N] [--thorough] [--whole-program] [--jobs N]
              [--keep FOLDER]

books    programs of generate.py: the program computes what it did without instrumentation, and each context has the count that the
         program's own books say, by function and line (mode=cct); in mode=hcct each count is within its bounds and no hot one
         is missing. So it is for each child of fork. In these runs a timer strikes. Where memory ends in the middle, no count is
         too high, and what is not there is told. What recursion=fold makes of a run is what hcct-decode --recursion=fold makes of
         one without it.
csmith   the checksum is what it was without instrumentation; each context has the count of the shadow oracle.

Each seed chooses one set of options for compiler and linker; --thorough takes every level, with and without
--hcct-before-inlining; with --whole-program all are linked by -flto. Each of the --runs of a program of books takes other ways
through it. The last line says how many programs were built how often and how many failed; exit status 1 if any did. The folder
of a failed program is kept, with the commands in its `log`.
"""
import argparse
import concurrent.futures
import glob
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LEVELS = ["-O0", "-O1", "-O2", "-O3", "-Os"]


class Failed(Exception):
    pass


def stacks_of(group):
    """Where the processes of the group are, if there is a gdb."""
    members = subprocess.run(["ps", "-e", "-o", "pid=,pgid="], stdout=subprocess.PIPE, text=True, check=False).stdout.split()
    found = [pid for pid, of in zip(members[::2], members[1::2]) if of == str(group)]
    if not shutil.which("gdb"):
        return ""
    return "".join(subprocess.run(["gdb", "-p", pid, "-batch", "-ex", "thread apply all backtrace"], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False).stdout.decode(errors="replace") for pid in found)


class Folder:
    """Runs commands in a folder and keeps what they said."""

    def __init__(self, path):
        self.path = path

    def run(self, *command, environment=None, seconds=120):
        """Status and output. A command that does not end in time, with its children, has the status "late", and the output is
        where they were. No process stays."""
        shown = " ".join([f"{k}={v}" for k, v in (environment or {}).items()] + list(command))
        with subprocess.Popen(command, cwd=self.path, env={**os.environ, **(environment or {})}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True) as process:
            try:
                output = process.communicate(timeout=seconds)[0].decode(errors="replace")
                status = process.returncode
            except BaseException as reason:
                is_late = isinstance(reason, subprocess.TimeoutExpired)
                stacks = stacks_of(process.pid) if is_late else ""
                os.killpg(process.pid, signal.SIGKILL)
                if not is_late:
                    raise
                status, output = "late", stacks
        with open(os.path.join(self.path, "log"), "a", encoding="utf-8") as log:
            log.write(f"$ {shown}\n{output}status {status}\n")
        return status, output

    def must(self, *command, **options):
        status, output = self.run(*command, **options)
        if status:
            raise Failed(f"status {status}: {' '.join(command)}\n{output[-600:]}")
        return output


# --- books

def name_of(linkage, known):
    """The name in the books: that of C, or the part of a mangled one."""
    linkage = linkage.removeprefix("__regcall3__").split("@@")[0]  # what regcall and vectorcall add
    if linkage in known:
        return linkage
    found = re.search(r"(?:fn|gd|cl)\d+x", linkage)
    return found[0] if found and linkage.startswith("_Z") else linkage


def read_books(path):
    """path of (line, bracket, function) -> count"""
    contexts, truth = {"-1": ()}, {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            index, parent, at, count, name, through = line.rstrip("\n").split(" ", 5)
            contexts[index] = context = contexts[parent] + ((int(at), through, name),)
            if count != "0":
                truth[context] = truth.get(context, 0) + int(count)
    return truth


def read_profile(profile, known):
    """path -> (count, error, number of contexts that are one here)"""
    frames, kept, places = profile["frames"], {}, []
    for node in profile["nodes"]:
        context, line, through = places[node["parent"]] if node["parent"] >= 0 else ((), 0, "")
        if node["site"] is not None and not line:
            line = node["site"]["line"] or 0
        frame = frames[node["frame"]]
        if frame["kind"] == "function":
            name = name_of(frame["linkage"], known)
            context += ((0 if name[:2] in ("cl", "gd") else line, through, name),)
            line, through = 0, ""
            if node["count"] is not None:
                count, error, number = kept.get(context, (0, 0, 0))
                kept[context] = (count + node["count"], error + node["error"], number + 1)
        elif frame["kind"] != "inlined":
            through += frame["function"]
        places.append((context, line, through))
    return kept


def show(path):
    steps = [f"@{line} {through}{';' if through else ''}{name}" for line, through, name in path]
    return " ".join(steps if len(steps) < 14 else steps[:3] + ["..."] + steps[-10:])


def compare_books(truth, profile_path, bounds, lacks):
    with open(profile_path, encoding="utf-8") as file:
        profile = json.load(file)
    kept, wrong = read_profile(profile, {path[-1][2] for path in truth}), []
    calls = sum(truth.values())
    if profile["calls"] != calls:
        wrong.append(f'{profile["calls"]} calls, the books have {calls}')
    if lacks:
        there, dropped = sum(node["count"] or 0 for node in profile["nodes"]), profile["dropped"]["memory"] + profile["dropped"]["chain"]
        if there + dropped != calls:
            wrong.append(f"{there} calls and {dropped} dropped, the books have {calls}")
        wrong += [f"{count} for {truth.get(path, 0)}: {show(path)}" for path, (count, _, _) in kept.items()
                  if count > truth.get(path, 0) and not any("[unknown]" in step[1] for step in path)]
        if wrong:
            raise Failed("\n".join(wrong[:8]))
        return
    wrong += [f"{key}: {value}" for key, value in profile["dropped"].items() if value and not (bounds and key == "chain")]
    wrong += [f"misplaced: {key} {value}" for key, value in (profile.get("misplaced") or {}).items() if value]
    for path, true in truth.items():
        count, error, number = kept.get(path, (0, 0, 0))
        if not bounds and (count != true or error):
            wrong.append(f"{count} instead of {true}: {show(path)}")
        if bounds and number and count - error > true:
            wrong.append(f"{count} (error {error}) for {true}: {show(path)}")
        if bounds and number and error > number * profile["epsilon"] * calls:
            wrong.append(f"error {error} of {number} contexts: {show(path)}")
    if bounds:  # of hot paths with one site each, nothing may be missing or too low
        wrong += [f"{kept.get(path, (0,))[0]} for {true}: {show(path)}" for path, true in truth.items()
                  if kept.get(path, (0,))[0] < true and true >= profile["phi"] * calls * 4]
    wrong += [f"{kept[path][0]} instead of 0: {show(path)}" for path in kept.keys() - truth.keys()]
    if wrong:
        raise Failed("\n".join(wrong[:8] + [f"{len(wrong)} wrong of {len(truth)} contexts"]))


def link_modes(choose, program, whole):
    """Compiler options, linker options, the part that becomes a shared object or None."""
    if whole:
        classes = choose.choice([[], ["-fwhole-program-vtables"], ["-fvisibility=hidden", "-fwhole-program-vtables"], ["-fvisibility=hidden", "-fsanitize=cfi-vcall"]])
        return ["-flto"] + classes * (program.cpp and not program.plugins), ["-flto", "-fuse-ld=lld"], None
    modes = [([], [], None)] * 3 + [(["-fPIC"], [], 1), (["-fPIC", "-fno-semantic-interposition"], [], 1), (["-fPIC", "-fno-plt"], ["-fuse-ld=lld"], 1),
                                    (["-fno-pie"], ["-no-pie"], None), (["-ffunction-sections"], ["-fuse-ld=lld", "-Wl,--gc-sections,--icf=all"], None)]
    modes += [([lto], [lto, "-fuse-ld=lld"], None) for lto in ("-flto", "-flto=thin")]
    modes += [(["-fPIC", lto], [lto, "-fuse-ld=lld"], 1) for lto in ("-flto", "-flto=thin")]
    if any(kind.name == "vectorcall" for kind in program.kinds):  # its names look like versioned symbols
        modes = [mode for mode in modes if mode[2] is None]
    if not program.exits_threads and not program.plugins:  # that needs a libgcc_s at run time
        modes += [([], ["-static"], None), (["-fPIE"], ["-static-pie"], None)]
    options, link, shared = choose.choice(modes)
    if shared is not None and any(kind.attribute for kind in program.kinds):
        link = link + ["-Wl,-z,now"]  # a lazy binding stub keeps only what the usual convention passes
    return options, link, shared


def books(folder, seed, tools, arguments):
    sys.dont_write_bytecode = True
    sys.path.insert(0, HERE)
    from generate import Program
    program = Program(seed)
    choose = random.Random(seed)
    parts = program.write(folder.path)
    plain = tools["clang++"] if program.cpp else tools["clang"]
    compiler = tools["hcct-c++"] if program.cpp else tools["hcct-cc"]
    links = link_modes(choose, program, arguments.whole_program)
    extra = choose.choice([[], [], ["-fomit-frame-pointer"], ["-fno-omit-frame-pointer"], ["-fstack-protector-all"], ["-mavx2"], ["-fcf-protection"], ["-mllvm", "-enable-machine-outliner=always"],
                           ["-fno-optimize-sibling-calls"], ["-mno-red-zone"], ["-fno-jump-tables", "-funroll-loops"], ["-ffunction-sections", "-fdata-sections"]])
    plans = [([level] * len(parts), before) for level in LEVELS for before in (False, True)] if arguments.thorough else [
        ([choose.choice(LEVELS) for _ in parts] if choose.random() < 0.3 else [choose.choice(LEVELS)] * len(parts), choose.random() < 0.25)]
    options, link, shared = links
    # Linking and level decide what runs when at the start and at the end: constructors may be computed by the compiler.
    as_plain = [option for option in options if option in ("-fPIC", "-fPIE", "-fno-pie")], [option for option in link if "lto" not in option], shared
    for levels, before in plans:
        build_books(folder, plain, "plain", program, parts, levels, as_plain, ["-g0"])
        build_books(folder, compiler, "x", program, parts, levels, links, extra + (["--hcct-before-inlining"] if before else []))
        for number in range(arguments.runs):
            hold_run(folder, tools, choose, str(number), [seed % 2] if arguments.runs == 1 else [0, 1])
    return len(plans)


def build_common(folder, tools):
    """What all programs are linked with."""
    folder.must(tools["clang"], "-O2", "-w", "-fexceptions", "-c", os.path.join(HERE, "book.c"), "-o", "book.o")
    folder.must(tools["clang"], "-c", os.path.join(HERE, "../../e2e/Inputs/fcontext.s"), "-o", "fcontext.o")
    folder.must("ar", "rcs", "libboost_context.a", "fcontext.o")


def build_books(folder, compiler, name, program, parts, levels, links, extra):
    """Links the executable `name`, of objects, a shared object and plugins whose names begin with it."""
    options, link, shared = links
    objects, plugins = [], []
    for number, (part, level) in enumerate(zip(parts, levels)):
        objects.append(f"{name}.{part}.o")
        place = ["-fPIC"] if number >= program.parts else []
        folder.must(compiler, level, "-w", "-g1", "-I" + HERE, *options, *place, *extra, "-c", part, "-o", objects[-1])
    for number, plugin in enumerate(objects[program.parts:]):  # the second one needs the first
        alike = [option for option in link if option.startswith(("-flto", "-fuse-ld"))]
        plugins.append(f"./{name}.plugin{number}.so")
        folder.must(compiler, "-shared", *alike, plugin, *plugins[:-1], "-o", plugins[-1])
    del objects[program.parts:]
    if shared is not None:
        folder.must(compiler, "-shared", *link, objects[shared], "-o", f"lib{name}.so")
        objects[shared] = f"./lib{name}.so"
    if shared is not None or plugins:
        link = link + ["-Wl,--export-dynamic"]
    folder.must(compiler, *objects, "../book.o", "../libboost_context.a", *link, "-o", name, "-lpthread")


def hold_run(folder, tools, choose, number, what):
    """One of the runs of a program, which differ in what is drawn. All of it is too much for each program of a test."""
    for old in glob.glob(folder.path + "/plain.txt*"):
        os.remove(old)
    folder.must("./plain", environment={"BOOK_FILE": "plain.txt", "BOOK_RUN": number}, seconds=20)
    hold_books(folder, tools, number)
    if 0 in what:
        hold_limited(folder, tools, number, choose.randint(1, 9))
    if 1 in what:
        hold_folded(folder, tools, number)


def run_books(folder, number, options, **environment):
    """The books of the process and of its children: what their files' names end in -> truth."""
    for old in glob.glob(folder.path + "/book.txt*") + glob.glob(folder.path + "/x.bin*"):
        os.remove(old)
    environment.update(BOOK_FILE="book.txt", BOOK_RUN=number, HCCT_OPTIONS=options + ":output=x.bin")
    said = folder.must("./x", environment=environment, seconds=60)
    return said, all_books(folder, "book.txt")


def all_books(folder, name):
    found = {path.rpartition(name)[2]: read_books(path) for path in glob.glob(f"{folder.path}/{name}*")}
    return {end: book for end, book in found.items() if book}


def without_ticks(found):
    kept = [sorted((path, count) for path, count in book.items() if path[0][1] != "[signal 14]") for book in found.values()]
    return sorted(book for book in kept if book)


def hold_books(folder, tools, number):
    # exact, exact as long as all fits, which is here, bounded after 256 contexts, and bounded from the start
    for mode in ("mode=cct", "mode=hcct", "mode=hcct:memory=40K:phi=0.05", "mode=hcct:memory=0:phi=0.002"):
        _, found = run_books(folder, number, mode, BOOK_TICKS="1")
        if without_ticks(found) != without_ticks(all_books(folder, "plain.txt")):
            raise Failed("the program does not do what it does without instrumentation")
        compare_all(folder, tools, found, "memory=" in mode, False)


def compare_all(folder, tools, found, bounds, lacks):
    for end, truth in found.items():
        folder.must(tools["hcct-decode"], "--format=json", "--all", "--no-demangle", "x.bin" + end, "-o", "x.json")
        compare_books(truth, folder.path + "/x.json", bounds, lacks)


def hold_limited(folder, tools, number, when):
    """From a moment on there is no memory."""
    said, found = run_books(folder, number, "mode=cct", BOOK_TICKS="1", BOOK_LIMIT=str(when))
    there = {end: book for end, book in found.items() if os.path.exists(f"{folder.path}/x.bin{end}")}
    if len(there) + said.count("cannot write the profile") < len(found):
        raise Failed(f"{len(found)} processes, {len(there)} profiles")
    compare_all(folder, tools, there, False, True)


def hold_folded(folder, tools, number):
    """What the run folds is what the decoder folds."""
    for recursion in ("keep", "fold"):
        run_books(folder, number, f"mode=cct:recursion={recursion}")
        folder.must(tools["hcct-decode"], "--format=json", "--all", "--recursion=fold", "x.bin", "-o", recursion + ".json")
    # a frame of a tail call does not tell its callee there, so that few callers are lost, and told (docs/boundaries.md)
    folder.must(sys.executable, os.path.join(HERE, "../../e2e/Inputs/same_contexts.py"), "--lost=0.01", "keep.json", "fold.json")


# --- csmith

def csmith(folder, seed, tools, arguments):
    choose = random.Random(seed)
    folder.must("csmith", "--seed", str(seed), "--max-funcs", str(choose.randint(5, 25)), "--inline-function", "--max-block-depth", "3",
                "--max-expr-complexity", "6", "-o", "program.c")
    flags = ["-w", "-fno-finite-loops", "-I" + ("/usr/include/csmith" if os.path.isdir("/usr/include/csmith") else "/usr/include")]
    folder.must(tools["clang"], "-O1", *flags, "program.c", "-o", "plain")
    status, checksum = folder.run("./plain", seconds=3)
    if status == "late":
        return 0  # csmith's programs need not end; compilers may take it for granted that they do
    if status:
        raise Failed(f"without instrumentation: status {status}")
    plans = [(level, before) for level in LEVELS for before in (False, True)] if arguments.thorough else [(choose.choice(LEVELS), choose.random() < 0.4)]
    for level, before in plans:
        whole = ["-flto"] if arguments.whole_program or choose.random() < 0.3 else []
        build = [tools["hcct-cc"], level, "-g1", *flags, *whole] + (["--hcct-before-inlining"] if before else []) + ["program.c"]
        folder.must(*build, "-o", "x")
        if folder.must("./x", environment={"HCCT_OPTIONS": "output=x.bin"}, seconds=120) != checksum:
            raise Failed("another checksum")
        decoded = json.loads(folder.must(tools["hcct-decode"], "--format=json", "--all", "x.bin"))
        if any(value for key, value in decoded["dropped"].items() if key != "chain") or any((decoded.get("misplaced") or {}).values()):
            raise Failed(f"dropped {decoded['dropped']}, misplaced {decoded.get('misplaced')}")
        folder.must(*build, tools["shadow"], "-o", "shadowed", "-lpthread", environment={"HCCT_SHADOW": "1"})
        for mode, bounds in (("mode=cct", []), ("memory=0:phi=0.01", ["--bounds"])):
            environment = {"HCCT_OPTIONS": f"{mode}:output=x.bin", "HCCT_SHADOW_FILE": "x.txt"}
            if folder.must("./shadowed", environment=environment, seconds=240) != checksum:
                raise Failed("another checksum with the oracle")
            folder.must(tools["hcct-decode"], "--format=json", "--all", "x.bin", "-o", "x.json")
            folder.must(sys.executable, os.path.join(HERE, "../../oracle/compare.py"), *bounds, "x.json", "x.txt")
    return len(plans)


# --- all of them

def one(kind, seed, tools, arguments):
    """(seed, builds, what is wrong or None)"""
    folder = Folder(os.path.join(arguments.keep, f"{kind}-{seed}"))
    shutil.rmtree(folder.path, ignore_errors=True)
    os.makedirs(folder.path)
    try:
        if kind == "books":
            builds = books(folder, seed, tools, arguments)
        else:
            builds = csmith(folder, seed, tools, arguments)
    except Failed as failed:
        return seed, 0, str(failed)
    shutil.rmtree(folder.path)
    return seed, builds, None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=["books", "csmith"])
    parser.add_argument("--build", default=os.path.join(HERE, "../../../build"))
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", default=None)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--thorough", action="store_true")
    parser.add_argument("--whole-program", action="store_true")
    parser.add_argument("--llvm", default="", help="the folder of clang; default: PATH")
    arguments = parser.parse_args()
    arguments.keep = os.path.abspath(arguments.keep or tempfile.mkdtemp(prefix="hcct-random-"))
    build = os.path.abspath(arguments.build)
    tools = {name: os.path.join(build, "bin", name) for name in ("hcct-cc", "hcct-c++", "hcct-decode")}
    for name in ("clang", "clang++"):
        tools[name] = os.path.join(arguments.llvm, name) if arguments.llvm else shutil.which(os.environ.get("HCCT_CLANG", "clang-19").replace("clang", name)) or name
    tools["shadow"] = os.path.join(build, "test/libshadow.a")
    os.makedirs(arguments.keep, exist_ok=True)
    if arguments.kind == "books":
        build_common(Folder(arguments.keep), tools)
    programs = builds = failures = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        seeds = range(arguments.first, arguments.first + arguments.count)
        for seed, built, failed in pool.map(lambda seed: one(arguments.kind, seed, tools, arguments), seeds):
            programs, builds, failures = programs + 1, builds + built, failures + bool(failed)
            if failed:
                print(f"seed {seed}: {arguments.keep}/{arguments.kind}-{seed}\n{failed}", flush=True)
    print(f"{arguments.kind}: {programs} programs from seed {arguments.first} on, {builds} builds, {failures} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
