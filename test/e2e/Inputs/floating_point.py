"""Instructions of floating point in machine code: floating_point.py FILE...

Prints each, and fails if there are any. Of vector registers moves and integers may be made use of, of x87 nothing: that raises a flag, or meets an
exception that is pending. Calls of functions that compute with floating point in their stead are found by their names."""
import re
import subprocess
import sys

VECTOR_X86 = re.compile(r"%[xyz]mm\d")
INTEGER_X86 = re.compile(r"v?(mov[a-z0-9]*|p[a-z0-9]+|(and|andn|or|xor)p[sd]|inserti128|extracti128|zeroupper|zeroall)$")
ALWAYS_X86 = re.compile(r"v?cvt[a-z0-9]+$|f[a-z0-9]+$|emms$|v?(ld|st)mxcsr$")
VECTOR_ARM = re.compile(r"\b[vbhsdq]([12]?[0-9]|3[01])\b")
INTEGER_ARM = re.compile(r"(ldr|str|ldp|stp|ldur|stur|ld1|st1|movi|mov|dup|orr|and|eor|bic|bsl|add|sub|cmeq|cmhi|cmgt|cmtst|ushr|sshr|shl|ext|crc32[a-z]*)$")
IN_SOFTWARE = re.compile(r"__(add|sub|mul|div|neg|cmp|eq|ne|lt|le|gt|ge|unord|pow|fix|fixuns|float|floatun|extend|trunc)[a-z]*(sf|df|xf|tf|hf)[0-9a-z]*$"
                         r"|(strto(d|f|ld)|atof|ldexp|frexp|log\w*|exp\w*|pow|sqrt|round|floor|ceil|fe\w+(round|except|env))$")
SOURCES = {"x86-64": (VECTOR_X86, INTEGER_X86, ALWAYS_X86), "aarch64": (VECTOR_ARM, INTEGER_ARM, re.compile(r"f[a-z0-9]+$|[su]cvtf$"))}


def look(path):
    """-> (instructions seen, lines to complain of)"""
    listing = subprocess.run(["llvm-objdump", "-d", "--no-show-raw-insn", path], check=True, capture_output=True, text=True).stdout
    seen, found, member, function, rules = 0, [], path, "?", None
    for line in listing.splitlines():
        heading = re.match(r"(.*):\tfile format elf64-(x86-64|littleaarch64)$", line)
        if heading:
            member, rules = heading[1], SOURCES[heading[2].replace("little", "")]
        elif re.match(r"[0-9a-f]+ <(.*)>:$", line):
            function = line.split("<")[1][:-2]
        elif re.match(r" *[0-9a-f]+:", line):
            words = line.split(":", 1)[1].split("<")[0].split("#")[0].split()
            words = [word for word in words if word not in ("lock", "rep", "repne", "notrack", "data16")]
            if not words:
                continue
            vector, integer, always = rules
            operands = " ".join(words[1:])
            seen += 1
            if always.match(words[0]) or (vector.search(operands) and not integer.match(words[0])):
                found.append(f"{member}: {function}: {' '.join(words)}")
    names = subprocess.run(["llvm-nm", "-u", path], check=True, capture_output=True, text=True).stdout.split()
    found += [f"{path}: calls {name}" for name in sorted(set(names)) if IN_SOFTWARE.match(name.split("@")[0])]
    return seen, found


failed = False
for path in sys.argv[1:]:
    seen, found = look(path)
    print(f"{path}: {seen} instructions, {len(found)} of floating point")
    for line in found[:40]:
        print(" ", line)
    failed = failed or bool(found)
sys.exit(failed)
