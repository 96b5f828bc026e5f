"""The programs that are measured: their sources, and what they are given to do.

Each has workloads of four sizes, by what plain -O2 takes: `long` (2 to 10 s), `short` (0.3 to 0.5 s), `tiny` (some 0.05 s, for peers that are
slow or leave gigabytes, and for counting instructions), and `empty`, next to nothing: what starting and ending cost.
`lab` is what scripts/lab runs.
"""
import os

import projects
import shell
from shell import read, source


class Workload:
    def __init__(self, *arguments, stdin=None):
        self.arguments, self.stdin = list(arguments), stdin


class Unit:
    """A source file, the folder where it is compiled, and the flags that it needs."""

    def __init__(self, path, flags=(), folder=None):
        self.path, self.flags, self.folder = path, list(flags), folder or shell.BUILD


class Program:
    """`exploding`: nearly every call is a context of its own, so that mode=cct gets the next smaller workload. `threads`: how many processors it gets."""

    def __init__(self, name, sources, flags=(), libraries=(), workloads=None, title=None, units=None, real=False, exploding=False, threads=1):
        self.name, self.sources, self.flags, self.libraries = name, sources, list(flags), list(libraries)
        self.workloads, self.title, self.given_units = workloads, title or name, units
        self.real, self.exploding, self.threads = real, exploding, threads

    def units(self):
        return self.given_units or [Unit(path, self.flags) for path in self.sources]


def sizes(long, short, tiny, empty):
    """Workloads of the arguments in each text."""
    return {name: Workload(*text.split()) for name, text in (("long", long), ("short", short), ("tiny", tiny), ("empty", empty))}


def rounds_file(count):
    """A script that says how often the next one is to do its work."""
    path = os.path.join(shell.BUILD, f"rounds-{count}.js")
    shell.write(path, f"this.rounds = {count};\n")
    return path


# --- real ones ---------------------------------------------------------------------------------


def duktape():
    script = source("bench", "workloads", "duktape.js")
    rounds = lambda count: Workload(rounds_file(count), script)
    return Program("duktape", [source("scripts", "demo.c"), "/usr/share/duktape/duktape.c"], ["-w", "-I/usr/share/duktape"], ["-lm"],
                   {"long": rounds(80), "short": rounds(10), "tiny": rounds(1), "empty": Workload(), "lab": Workload(script)}, title="Duktape 2.7", real=True)


def sqlite_script(rows, queries):
    fill, query = (read(source("bench", "workloads", name)) for name in ("sqlite.sql", "sqlite_queries.sql"))
    return fill.replace("60000", str(rows)) + queries * query


def sqlite():
    folder = os.path.join(projects.packages(), "sqlite")
    script = lambda rows, queries: Workload(":memory:", stdin=sqlite_script(rows, queries))
    return Program("sqlite", [os.path.join(folder, "shell.c"), os.path.join(folder, "sqlite3.c")],
                   ["-w", "-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION", "-I" + folder], ["-lm"],
                   {"long": script(60000, 100), "short": script(60000, 10), "tiny": script(6000, 3), "empty": Workload(":memory:", stdin=""),
                    "lab": script(60000, 28)},
                   title="SQLite 3.52", real=True)


def ocaml():
    """The bytecode interpreter, running the compiler that is in its own sources, on its own library."""
    folder, units, libraries = projects.ocaml()
    files = lambda *names: [os.path.join(folder, "stdlib", name + ".ml") for name in names]
    compile_them = lambda names: Workload(os.path.join(folder, "boot", "ocamlc"), "-nostdlib", "-I", os.path.join(folder, "boot"), "-i", *names)
    return Program("ocaml", None, libraries=libraries, units=[Unit(*unit) for unit in units], title="OCaml 4.13's runtime", real=True,
                   workloads={"long": compile_them(8 * files("scanf", "format", "hashtbl")), "short": compile_them(files("scanf")),
                              "tiny": compile_them(files("hashtbl")), "empty": Workload(os.path.join(folder, "boot", "ocamlc"), "-version")})


def objdump():
    folder, units, libraries = projects.binutils()
    disassemble = lambda times: Workload("-dr", "--no-show-raw-insn", *times * [projects.object_file(folder)])
    return Program("objdump", None, libraries=libraries, units=[Unit(*unit) for unit in units], title="objdump 2.40", real=True,
                   workloads={"long": disassemble(40), "short": disassemble(5), "tiny": disassemble(1), "empty": Workload("--version")})


def gawk():
    """An interpreter in thirty files, which call each other's functions."""
    _, units, libraries = projects.gawk()
    script = source("bench", "workloads", "report.awk")
    rounds = lambda count: Workload("-v", f"rounds={count}", "-f", script)
    return Program("gawk", None, libraries=libraries, units=[Unit(*unit) for unit in units], title="gawk 5.2", real=True,
                   workloads={"long": rounds(600), "short": rounds(80), "tiny": rounds(8), "empty": rounds(0)})


def cpython():
    """An interpreter in a hundred files, most of whose calls go through pointers."""
    _, units, libraries = projects.cpython()
    script = source("bench", "workloads", "documents.py")
    rounds = lambda count: Workload("-S", "-E", script, str(count))
    return Program("cpython", None, libraries=libraries, units=[Unit(*unit) for unit in units], title="CPython 3.11", real=True,
                   workloads={"long": rounds(700), "short": rounds(100), "tiny": rounds(8), "empty": Workload("-S", "-E", "-c", "pass")})


def perl():
    library, units, libraries = projects.perl()
    script = source("bench", "workloads", "documents.pl")
    rounds = lambda count: Workload("-I" + library, script, str(count))
    return Program("perl", None, libraries=libraries, units=[Unit(*unit) for unit in units], title="Perl 5.36", real=True,
                   workloads={"long": rounds(1500), "short": rounds(220), "tiny": rounds(16), "empty": Workload("-e", "1")})


def libsass():
    folder = os.path.join(projects.packages(), "libsass")
    flags = ["-w", '-DLIBSASS_VERSION="3.5.5"', "-I" + os.path.join(folder, "include")]
    paths = sorted(os.path.join(folder, part, name) for part in ("src", "src/memory") for name in os.listdir(os.path.join(folder, part)))
    units = [Unit(path, flags + (["-std=c++11"] if path.endswith("pp") else [])) for path in paths if path.endswith((".c", ".cpp"))]
    units.append(Unit(source("test", "real", "Inputs", "libsass.c"), flags))
    sheet = source("bench", "workloads", "styles.scss")
    return Program("libsass", None, libraries=["-ldl", "-lm"], units=units, title="libsass 3.5", real=True,
                   workloads={"long": Workload(*16 * [sheet]), "short": Workload(*2 * [sheet]),
                              "tiny": Workload(source("test", "real", "Inputs", "features.scss")), "empty": Workload()})


# --- our own -----------------------------------------------------------------------------------


def own_program(name, *arguments, suffix=".c", **more):
    """One of bench/programs; arguments are those of its only workload, unless more has them all."""
    more.setdefault("workloads", {"lab": Workload(*arguments)})
    return lambda: Program(name, [source("bench", "programs", name + suffix)], **more)


PROGRAMS = {
    "duktape": duktape,
    "sqlite": sqlite,
    "ocaml": ocaml,
    "objdump": objdump,
    "gawk": gawk,
    "cpython": cpython,
    "perl": perl,
    "libsass": libsass,
    "compress": own_program("compress", workloads=sizes("700", "70", "12", "0")),
    "chess": own_program("chess", workloads=sizes("6 7", "5 6", "4 5", "0 0")),
    "parser": own_program("parser", workloads=sizes("2700", "330", "40", "0")),
    "virtual": own_program("virtual", suffix=".cpp", workloads=sizes("200000", "22000", "3000", "0")),
    "objects": own_program("objects", suffix=".cpp", workloads=sizes("40000", "5000", "700", "0"), exploding=True),
    "bytecode": own_program("bytecode", workloads=sizes("2000000", "200000", "20000", "0")),
    "dispatch": own_program("dispatch", workloads=sizes("900000", "130000", "18000", "0")),
    "tree": own_program("tree", workloads=sizes("1000 30000", "1000 3500", "1000 350", "1 1"), exploding=True),
    "mutual": own_program("mutual", workloads=sizes("45 25000", "45 3500", "45 60", "1 1"), exploding=True),
    "ackermann": own_program("ackermann", workloads=sizes("300 7000", "300 800", "100 100", "1 1"), exploding=True),
    "fib": own_program("fib", workloads=sizes("29 1000", "29 100", "24 30", "1 1"), exploding=True),
    "leaf": own_program("leaf", workloads=sizes("600", "70", "9", "0")),
    "threads": own_program("threads", libraries=["-lpthread"], threads=2, workloads=sizes("2 1200", "2 150", "2 20", "1 0")),
}
