"""Programs that others build: where their sources are from, and how each file of them is compiled.

OCaml's runtime and binutils are configured and made once, as their makefiles do it, through a compiler that notes its arguments; what the
link then takes is compiled again for each way to build, with the same flags but for optimization and warnings.
"""
import glob
import json
import os
import re

from shell import fail, read, run_quietly, source, write
import shell

# one write for each line, as make runs several at once
NOTING_COMPILER = """#!/bin/sh
printf '%s\\0' "$PWD" "$@" '
' >> "$BENCH_RECORD"
exec CLANG "$@"
"""
SOURCE = re.compile(r"[^-].*\.[cS]")
LEFT_OUT = re.compile(r"-O\d?|-g\d?|-W.*|-w|-c|-M[DPM]?|-pthread")  # -pthread goes to the link


def packages():
    """The pinned npm packages that test/real uses, too."""
    folder = os.environ.get("HCCT_CACHE") or os.path.join(shell.BUILD, "packages")
    run_quietly(["sh", source("test", "real", "fetch"), folder])
    return folder


def make_folder(name, archive, steps):
    """BUILD/NAME, with the steps done in it, once; each a command and a folder below it."""
    folder = os.path.join(shell.BUILD, name)
    if os.path.exists(os.path.join(folder, "done")):
        return folder
    if not os.path.exists(archive):
        fail(f"no {archive}: run scripts/install test")
    run_quietly(["rm", "-rf", folder])
    os.makedirs(folder)
    compiler = os.path.join(folder, "cc")
    write(compiler, NOTING_COMPILER.replace("CLANG", shell.CLANG))
    os.chmod(compiler, 0o755)
    environment = dict(os.environ, BENCH_RECORD=os.path.join(folder, "record"), CC=compiler)
    for place, command in steps:
        print(f"{name}: {command}", flush=True)
        run_quietly(["sh", "-c", command], cwd=os.path.join(folder, place), env=environment)
    write(os.path.join(folder, "done"), "")
    return folder


# --- which files the link takes, and how they were compiled ------------------------------------


def recorded(folder):
    """[(folder, arguments)] of each run of the noting compiler."""
    with open(os.path.join(folder, "record"), encoding="utf-8") as file:
        lines = [line.strip("\0\n").split("\0") for line in file]
    return [(words[0], words[1:]) for words in lines if words[0]]


def object_of(member):
    """The object file of a line of the linker's trace: a path, or ARCHIVE(MEMBER)."""
    archive, _, inner = member.rstrip(")").partition("(")
    return os.path.join(os.path.dirname(archive), inner) if inner else archive


def unit(place, arguments):
    """(path, flags, folder) of a compilation."""
    flags, words = [], iter(arguments)
    for word in words:
        if word in ("-o", "-MT", "-MF", "-MQ"):
            next(words)
        elif SOURCE.fullmatch(word):
            path = os.path.join(place, word)
        elif not LEFT_OUT.fullmatch(word):
            flags.append(word)
    return os.path.realpath(path), flags + ["-w"], place


def nearest(path, compiled):
    """The object of that name whose folder is nearest: an archive may stand elsewhere than what it was made of."""
    namesakes = [one for one in compiled if os.path.basename(one) == os.path.basename(path)]
    return max(namesakes, key=lambda one: len(os.path.commonpath([one, path])), default=None)


def link_closure(folder, binary):
    """(units, libraries) of the program whose link was noted."""
    runs = recorded(folder)
    place, link = next((place, words) for place, words in reversed(runs) if "-c" not in words and words[words.index("-o") + 1 :][:1] == [binary])
    compiled = {}
    for where, words in runs:
        if "-c" in words and any(map(SOURCE.fullmatch, words)):
            made = words[words.index("-o") + 1] if "-o" in words else os.path.basename(unit(where, words)[0])[:-1] + "o"
            compiled[os.path.realpath(os.path.join(where, made))] = (where, words)
    trace = run_quietly([shell.CLANG, *link, "-fuse-ld=lld", "-Wl,--trace", "-o", os.path.join(folder, "traced")], cwd=place).splitlines()
    paths = [os.path.realpath(os.path.join(place, object_of(line))) for line in trace]
    found = [compiled.get(nearest(path, compiled)) for path in paths if path.endswith(".o")]
    libraries = [word for word in link if word.startswith("-l") or word == "-pthread"]
    return [unit(*one) for one in found if one], libraries  # what nobody here compiled is the C library's


def remembered(folder, binary):
    path = os.path.join(folder, "units.json")
    if not os.path.exists(path):
        write(path, json.dumps(link_closure(folder, binary)))
    return json.loads(read(path))


# --- the projects ------------------------------------------------------------------------------


def ocaml():
    """(source folder, units, libraries)"""
    archive = "/usr/src/ocaml-source-4.13.1.tar"
    inner = "ocaml-4.13.1/ocaml-4.13.1"
    options = "--disable-debugger --disable-ocamldoc --disable-native-compiler --disable-shared"
    folder = make_folder("ocaml", archive, [
        (".", f"tar -xf {archive} && cd ocaml-4.13.1 && tar -xf ocaml_4.13.1.orig.tar.gz"),
        (inner, f'./configure CC="$CC" {options} && make coldstart')])
    units, libraries = remembered(folder, "ocamlrun")
    return os.path.join(folder, inner), units, libraries


def binutils():
    """(folder, units, libraries) of objdump"""
    archive = "/usr/src/binutils/binutils-2.40.tar.xz"
    options = ("--disable-nls --disable-gdb --disable-gdbserver --disable-sim --disable-ld --disable-gas --disable-gold --disable-gprof --disable-gprofng "
               "--disable-libctf --disable-plugins --disable-werror --disable-shared --without-zstd --without-debuginfod --with-system-zlib")
    folder = make_folder("binutils", archive, [
        (".", f"tar -xf {archive} && mkdir build"),
        ("build", f'../binutils-2.40/configure CC="$CC" CFLAGS="-O0 -w" {options} MAKEINFO=true'),
        ("build", "make -j2 MAKEINFO=true all-bfd all-opcodes all-libiberty all-libsframe configure-binutils && make -C binutils objdump")])
    units, libraries = remembered(folder, "objdump")
    return folder, units, libraries


def debian_source(package, file, whole=False):
    """A file of a source package of this Debian, in BUILD, with all that belongs to it if whole. From where the machine has its packages, though it may not
    list sources."""
    path = os.path.join(shell.BUILD, file)
    if os.path.exists(path):
        return path
    folder = os.path.join(shell.BUILD, "apt")
    listed = os.path.join(folder, "sources.list.d")
    os.makedirs(os.path.join(folder, "lists", "partial"), exist_ok=True)
    os.makedirs(listed, exist_ok=True)
    for old in ["/etc/apt/sources.list", *glob.glob("/etc/apt/sources.list.d/*")]:
        if os.path.exists(old) and "debian" in read(old):
            write(os.path.join(listed, os.path.basename(old)), re.sub(r"^(Types: |)deb\b(?!-src)", r"\1deb-src", read(old), flags=re.MULTILINE))
    apt = ["apt-get", "-qq", "-o", f"Dir::Etc::SourceParts={listed}", "-o", "Dir::Etc::SourceList=/dev/null", "-o", f"Dir::State::Lists={folder}/lists",
           "-o", "APT::Sandbox::User=root"]
    release = re.search(r"^VERSION_CODENAME=(.*)", read("/etc/os-release"), re.MULTILINE).group(1)
    run_quietly(apt + ["update"])
    run_quietly(apt + ["source", "--download-only", *([] if whole else ["--tar-only"]), f"{package}/{release}"], cwd=shell.BUILD)
    return path


def gawk():
    """(folder, units, libraries)"""
    archive = debian_source("gawk", "gawk_5.2.1.orig.tar.xz")
    options = "--disable-nls --disable-extensions --disable-mpfr --disable-pma --without-readline"
    folder = make_folder("gawk", archive, [
        (".", f"tar -xf {archive}"),
        ("gawk-5.2.1", f'./configure CC="$CC" CFLAGS="-O0 -w" {options} && make -j2 -C support && make gawk')])
    units, libraries = remembered(folder, "gawk")
    return folder, units, libraries


def cpython():
    """(folder of the library in Python, units, libraries). The interpreter looks for the library where its prefix says."""
    archive = debian_source("python3.11", "python3.11_3.11.2.orig.tar.gz")
    inner = "Python-3.11.2"
    home = os.path.join(shell.BUILD, "cpython", "home")
    options = f"--prefix={home} --disable-test-modules --without-ensurepip --without-doc-strings"
    folder = make_folder("cpython", archive, [
        (".", f"tar -xf {archive} && mkdir -p home/lib && ln -s ../../{inner}/Lib home/lib/python3.11 && mkdir -p {inner}/Lib/lib-dynload"),
        (inner, f'./configure CC="$CC" OPT="-O0 -w" {options} && make -j2 python'),
        (inner, './python -S -E -c "import json, re"')])  # compiles them, so that no run that is measured does
    units, libraries = remembered(folder, "python")
    return os.path.join(folder, inner, "Lib"), units, libraries


def perl():
    """(folder of the library in Perl, units, libraries)"""
    archive = debian_source("perl", "perl_5.36.0.orig.tar.xz")
    folder = make_folder("perl", archive, [
        (".", f"tar -xf {archive}"),
        ("perl-5.36.0", 'sh ./Configure -des -Dcc="$CC" -Doptimize="-O0 -w" -Uman1dir -Uman3dir && make -j2 perl')])
    units, libraries = remembered(folder, "perl")
    return os.path.join(folder, "perl-5.36.0", "lib"), units, libraries


def object_file(folder):
    """What objdump reads: duktape, compiled whole."""
    result = os.path.join(folder, "duktape.o")
    if not os.path.exists(result):
        run_quietly([shell.CLANG, "-O2", "-w", "-I/usr/share/duktape", "-c", "/usr/share/duktape/duktape.c", "-o", result])
    return result
