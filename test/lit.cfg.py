# The test suite: lit over C and LLVM IR programs, shell tests and the unit tests. Run it by scripts/check, or
# `cmake --build build --target check`; build/test/lit.site.cfg.py sets the folders.
import ctypes
import ctypes.util
import glob
import os
import platform
import shutil
import struct
import subprocess
import sys

import lit.formats

config.name = "hcct"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".c", ".cpp", ".ll", ".test"]
config.excludes = ["Inputs", "bin", "unit", "oracle", "fuzz", "foreign", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.hcct_build, "test")

llvm = config.hcct_llvm_bin
# Python itself: the one in PATH may be a script that looks for versions, which takes ten times as long.
python = os.path.join(config.test_exec_root, "python")
if not os.path.exists(os.path.join(python, "python3")):
    os.makedirs(python, exist_ok=True)
    os.symlink(sys.executable, os.path.join(python, "python3"))
config.environment["PATH"] = os.pathsep.join([llvm, python, os.environ["PATH"]])
config.environment["HCCT_OPTIONS"] = ""

# Tests that take long require a turn. Tier 2 runs those of turn HCCT_TURN (scripts/check), tier 3 those of all turns, and what requires tier3.
tier = int(os.environ.get("HCCT_TIER") or "1")
turns = "01234567" if tier >= 3 else os.environ.get("HCCT_TURN", "") if tier == 2 else ""
config.available_features.update("turn-" + turn for turn in turns)
if tier >= 3:
    config.available_features.add("tier3")
config.substitutions.append((r"%turns", " ".join(turns)))
for name in ("HCCT_TIER", "HCCT_TURN"):  # for lit within lit
    if name in os.environ:
        config.environment[name] = os.environ[name]

build = config.hcct_build
config.available_features.add("cpu-timers")  # timer_create of a thread's CPU time
# HCCT_TARGET=aarch64: what the tests compile is cross-compiled and runs under qemu (test/aarch64).
cross = ""
if os.environ.get("HCCT_TARGET") == "aarch64":
    config.available_features.add("target-aarch64")
    config.available_features.remove("cpu-timers")  # which qemu does not have
    config.test_exec_root = os.path.join(config.hcct_build, "test/aarch64/cross")
    cross = "sh " + os.path.join(config.test_source_root, "aarch64/Inputs/cross.sh") + " "
config.substitutions += [
    (r"%hcct-cc", cross + os.path.join(build, "bin/hcct-cc")),
    (r"%hcct-c\+\+", cross + os.path.join(build, "bin/hcct-c++")),
    (r"%hcct-decode", os.path.join(build, "bin/hcct-decode")),
    (r"%hcct-run", os.path.join(build, "bin/hcct-run")),
    (r"%hcct-compare", os.path.join(build, "bin/hcct-compare")),
    (r"%hcct-merge", os.path.join(build, "bin/hcct-merge")),
    (r"%hcct-top", os.path.join(build, "bin/hcct-top")),
    (r"%hcct-lab", os.path.join(build, "bin/hcct-lab")),
    (r"%hcct-heights", os.path.join(build, "bin/hcct-heights")),
    (r"%sampler", "LD_PRELOAD=" + os.path.join(build, "lib/hcct/libhcct_heights.so")),
    (r"%hcct-prefix", build),
    (r"%hcct-build", build),
    (r"%hcct-source", config.hcct_source),
    (r"%tsan-runtime", os.path.join(build, "test/libhcct_runtime_tsan.a")),
    (r"%plugin", os.path.join(build, "lib/hcct.so")),
    (r"%runtime", os.path.join(build, "lib/libhcct.a")),
    (r"%unit", os.path.join(build, "test/unit/bin")),
    (r"%oracle", os.path.join(config.test_source_root, "oracle")),
    (r"%shadow", os.path.join(build, "test", "aarch64" if cross else "", "libshadow.a")),
    (r"%lit", sys.executable + " " + os.path.abspath(sys.argv[0])),
    (r"%unlabelled", "grep -v 'asm sideeffect.*pushsection hcct_calls'"), # tests of other code leave these out
    (r"%opt", os.path.join(llvm, "opt") + " -load-pass-plugin=" + os.path.join(build, "lib/hcct.so")),
    (r"%host-clang", os.path.join(llvm, "clang")), # for this machine, also with HCCT_TARGET
    (r"%clang\+\+", cross + os.path.join(llvm, "clang++")),
    (r"%clang", cross + os.path.join(llvm, "clang")),
]

if shutil.which("autoconf") and shutil.which("libtoolize"):
    config.available_features.add("autotools")
for tool in ("ninja", "meson", "gcc", "mold", "npm", "csmith", "zsh", "fish", "gdb", "valgrind"):
    if shutil.which(tool):
        config.available_features.add(tool)
for library in ("jemalloc", "tcmalloc_minimal", "mimalloc"):
    if ctypes.util.find_library(library):
        config.available_features.add(library)
        config.substitutions.append(("%" + library, ctypes.util.find_library(library)))


def clang_for_rust():
    """The oldest clang that reads rustc's bitcode and that hcct has a plugin for; None: there is none, or no cargo."""
    if not shutil.which("rustc") or not shutil.which("cargo"):
        return None
    version = subprocess.run(["rustc", "-vV"], check=False, capture_output=True, text=True).stdout
    majors = sorted(int(os.path.basename(os.path.dirname(path)).removeprefix("llvm-")) for path in glob.glob(os.path.join(build, "lib/hcct/llvm-*/hcct.so")))
    least = int((version.split("LLVM version: ") + ["999"])[1].split(".")[0])
    return next((f"clang-{major}" for major in majors if major >= least and shutil.which(f"clang-{major}") and shutil.which(f"ld.lld-{major}")), None)


rust_clang = clang_for_rust()
if rust_clang and not cross:
    config.available_features.add("rust")
    config.substitutions.append((r"%rust-clang", rust_clang))
    # without cargo: what rustc writes is instrumented in the link
    config.substitutions.append((r"%rustc", f"env HCCT_CLANG={rust_clang} rustc -Clinker={build}/bin/hcct-cc -Clinker-plugin-lto -Clink-arg=--hcct-bitcode"))
    for name in ("CARGO_HOME", "RUSTUP_HOME", "HOME"):
        if name in os.environ:
            config.environment[name] = os.environ[name]
if shutil.which("clang-format-19"):
    config.available_features.add("clang-format")
lldb = shutil.which("lldb-19") or shutil.which("lldb")
if lldb and b"hcct" in subprocess.run([lldb, "--no-lldbinit", "--batch", "-o", "script print('hc' + 'ct')"], check=False, capture_output=True).stdout:
    config.available_features.add("lldb")
    config.substitutions.append((r"%lldb", lldb))
if subprocess.run(["/usr/bin/python3", "-c", "import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_paths()['include'] + '/Python.h'))"],
                  check=False, stderr=subprocess.DEVNULL).returncode == 0:
    config.available_features.add("python-headers")


def counts(kind, event):
    """Whether perf_event_open counts that for this process, outside the kernel: struct perf_event_attr as it first was, on x86-64."""
    attributes = struct.pack("IIQQQQQIIQ", kind, 64, event, 1, 0, 0, 1 | 1 << 5, 1, 0, 0)
    file = ctypes.CDLL(None).syscall(298, attributes, 0, -1, -1, 8)
    if file >= 0:
        os.close(file)
    return file >= 0


if platform.machine() == "x86_64":
    config.available_features.add("perf-events" if counts(1, 2) else "no-perf-events")
    config.available_features.add("perf-counters" if counts(0, 0) else "no-perf-counters")
if shutil.which("go") and os.path.isdir("/usr/share/gocode/src/github.com/google/pprof"):
    config.available_features.add("go-pprof")
if shutil.which("qemu-aarch64") and os.path.exists(os.path.join(build, "lib/hcct/aarch64-linux-gnu/libhcct.a")):
    config.available_features.add("aarch64")
with open(os.path.join(build, "bin/hcct-decode"), "rb") as command:
    if b"libdw.so" in command.read():  # lines of samples
        config.available_features.add("libdw")
if os.path.exists(os.path.join(build, "bin/hcct-heights")) and os.path.exists(os.path.join(build, "lib/hcct/libhcct_heights.so")):
    config.available_features.add("heights")
for feature in ("openmpi", "mpich"):
    if shutil.which("mpifort." + feature) and shutil.which("gfortran"):
        config.available_features.add(feature + "-fortran")
    if shutil.which("mpicc." + feature) and shutil.which("mpirun." + feature):
        config.available_features.add(feature)
if "mpich" in config.available_features and glob.glob("/usr/lib/*/libmpich.a") and glob.glob("/usr/lib/*/libucp.so"):
    config.available_features.add("mpich-archive")
for feature, tool in (("curl", "curl"), ("graphviz", "dot"), ("dejagnu", "runtest"), ("callgrind", "callgrind_annotate")):
    if shutil.which(tool):
        config.available_features.add(feature)
if all(shutil.which(tool) for tool in ("cpack", "dpkg-deb", "dpkg-shlibdeps", "file", "pkg-config")):
    config.available_features.add("packages")
if shutil.which("chromium") and shutil.which("chromedriver"):
    config.available_features.add("chromium")
if os.path.isdir("/usr/lib/python3/dist-packages/jsonschema"):
    config.available_features.add("jsonschema")

# Root may make a setuid program and run it as somebody else, where the temporary folder allows that.
if os.geteuid() == 0 and shutil.which("setpriv") and not os.statvfs("/tmp").f_flag & os.ST_NOSUID:
    config.available_features.add("setuid")
