"""What foreign.py knows of each suite: which files are programs, and with which flags they compile."""
import glob
import os
import re
import shlex
import subprocess
from dataclasses import dataclass, field

CPP = (".cpp", ".cc", ".C", ".cxx")
C_FLAGS = ["-std=gnu89", "-w"]


@dataclass
class Program:
    suite: str
    source: str
    flags: list = field(default_factory=list)
    libraries: list = field(default_factory=lambda: ["-lm", "-lpthread", "-ldl"])
    any_status: bool = False # what it ends with is no verdict

    @property
    def is_cpp(self):
        return self.source.endswith(CPP)


def find(folder, *patterns):
    return sorted({path for pattern in patterns for path in glob.glob(os.path.join(folder, pattern), recursive=True)})


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def without_comments(text):
    """A file that has nothing but comments is no program, even if one says "main"."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)


def asked_options(text):
    """Those that gcc's own runner is told, as far as clang has them."""
    options = " ".join(re.findall(r'dg-(?:additional-)?options "([^"]*)"', text))
    return [option for option in shlex.split(options) if re.match(r"-(std=|D|m|fno-|fwrapv|fgnu89-inline|fsigned-char|funsigned-char|pthread)", option)]


def runs(text):
    return "dg-do run" in text


def gcc(folder):
    """A folder of gcc's, or what lies below its testsuite: gcc.c-torture/execute, g++.dg and, of gcc.dg and gcc.target/i386, what runs."""
    for path in find(folder, "**/gcc.c-torture/execute/**/*.c", "**/gcc-c-torture/execute/**/*.c"):
        if f"{os.sep}builtins{os.sep}" not in path:
            yield Program("gcc", path, C_FLAGS + asked_options(read(path)))
    for path in find(folder, "**/g++.dg/**/*.C"):
        text = read(path)
        if runs(text):
            standard = ["-std=c++20"] if f"{os.sep}coroutines{os.sep}" in path else []
            yield Program("gcc", path, ["-w", *standard, *asked_options(text)])
    for path in find(folder, "**/gcc.dg/**/*.c", "**/gcc.target/i386/*.c"):
        text = read(path)
        if runs(text):
            yield Program("gcc", path, ["-w", *asked_options(text)])


def libstdcxx(folder):
    """libstdc++-v3's testsuite: what runs with the headers of its folder `util` alone."""
    for path in find(folder, "**/*.cc"):
        text = read(path)
        if not re.search(r"dg-do (?!run)", text):
            standard = [] if "-std=" in text else ["-std=gnu++20"]
            yield Program("libstdcxx", path, ["-w", *standard, *asked_options(text), "-I", os.path.join(folder, "util"), "-I", os.path.dirname(path)])


def llvm(folder):
    """llvm-test-suite's SingleSource."""
    for path in find(folder, *(f"**/*{ending}" for ending in (".c", *CPP))):
        torture = "c-torture" in path
        utilities = os.path.join(path.split("Polybench")[0], "Polybench", "utilities") if "Polybench" in path else os.path.dirname(path)
        yield Program("llvm", path, (C_FLAGS if torture else ["-w"]) + ["-I", utilities], any_status=not torture)


def libcxxabi(folder):
    """libcxxabi's tests; libcxx stands beside it, with what they include."""
    support = os.path.join(folder, "..", "libcxx", "test", "support")
    for path in find(folder, "test/**/*.pass.cpp"):
        yield Program("libcxxabi", path, ["-w", "-std=c++20", "-I", support, "-I", os.path.join(folder, "include"), "-I", os.path.join(folder, "src")])


def compile_library(build, flags, sources):
    """What compiles of them, by plain clang, as a library."""
    os.makedirs(build, exist_ok=True)
    library, objects = os.path.join(build, "libsupport.a"), []
    if os.path.exists(library):
        return library
    for source in sources:
        to = os.path.join(build, os.path.basename(source) + ".o")
        done = subprocess.run(["clang-19", "-O1", "-w", *flags, "-c", source, "-o", to], stderr=subprocess.DEVNULL, check=False)
        objects += [] if done.returncode else [to]
    subprocess.run(["ar", "rcs", library, *objects], check=True)
    return library


# What glibc's own build gives to the files of its support folder.
GLIBC_NAMES = [f'-D{name}_PATH="/nonexistent"' for name in ("SRCDIR", "OBJDIR", "OBJDIR_ELF_LDSO", "INSTDIR", "LIBDIR", "SLIBDIR", "BINDIR", "SBINDIR", "ROOTSBINDIR",
                                                           "COMPLOCALEDIR", "SYSCONFDIR")]
GLIBC_FLAGS = ["-w", "-std=gnu11", "-D_GNU_SOURCE", "-DTIMEOUTFACTOR=1", "-Dattribute_hidden=", "-Dlibc_hidden_proto(x)=", "-Dlibc_hidden_def(x)=",
               *(word for header in ("stdbool", "stdint", "limits", "unistd") for word in ("-include", header + ".h"))]
# Of the headers for its own build, those that do not stand in for the system's.
GLIBC_HEADERS = ("support", "include/array_length.h", "include/intprops.h", "include/intprops-internal.h", "include/verify.h", "include/libc-diag.h",
                 "include/libc-pointer-arith.h", "include/scratch_buffer.h", "include/file_change_detection.h", "include/idx.h", "include/allocate_once.h",
                 "include/struct___timeval64.h", "sysdeps/x86_64/stackinfo.h", "sysdeps/generic/stackinfo.h")


def glibc(folder, build):
    """glibc's tests that can do without its build: against the system's library, with what compiles of its support folder."""
    build = os.path.join(build, "glibc-support")
    headers = os.path.join(build, "include")
    os.makedirs(headers, exist_ok=True)
    for target in GLIBC_HEADERS:
        link = os.path.join(headers, os.path.basename(target))
        if os.path.exists(os.path.join(folder, target)) and not os.path.lexists(link):
            os.symlink(os.path.abspath(os.path.join(folder, target)), link)
    flags = [*GLIBC_FLAGS, "-I", headers, "-idirafter", folder, "-idirafter", os.path.join(folder, "support")]
    library = compile_library(build, [*flags, *GLIBC_NAMES], [path for path in find(folder, "support/*.c")
                                                             if not os.path.basename(path).startswith(("README", "test-", "tst-"))])
    for path in find(folder, "*/tst-*.c", "*/test-*.c", "*/bug-*.c", "*/bug*.c"):
        if f"{os.sep}benchtests{os.sep}" not in path:
            yield Program("glibc", path, [*flags, "-idirafter", os.path.dirname(path)],
                          [library, "-lm", "-lpthread", "-ldl", "-lrt", "-lutil", "-lresolv"])


def libc_test(folder, build):
    common = os.path.join(folder, "src", "common")
    library = compile_library(os.path.join(build, "libc-test-support"), ["-D_GNU_SOURCE", "-I", common], [
        path for path in find(common, "*.c") if not path.endswith("runtest.c")])
    for path in find(folder, "src/functional/*.c", "src/regression/*.c", "src/math/*.c"):
        yield Program("libc-test", path, ["-w", "-D_GNU_SOURCE", "-I", common], [library, "-lm", "-lpthread", "-ldl", "-lrt", "-lcrypt", "-lutil"])


def uftrace(folder):
    for path in find(folder, "tests/s-*.c", "tests/s-*.cpp"):
        yield Program("uftrace", path, ["-w", "-I", os.path.dirname(path)], any_status=True)


def every(folders, build):
    """All programs of the suites whose folders are given."""
    found = []
    for suite, folder in folders.items():
        if folder:
            take = globals()[suite]
            programs = list(take(folder, build) if suite in ("glibc", "libc_test") else take(folder))
            programs = [program for program in programs if re.search(r"\bmain\b|test-skeleton|test-driver|test_driver", without_comments(read(program.source)))]
            if not programs:
                raise SystemExit(f"foreign: nothing of {suite} in {folder}")
            found += programs
    return found


NAMES = ("gcc", "libstdcxx", "llvm", "libcxxabi", "glibc", "libc_test", "uftrace")
