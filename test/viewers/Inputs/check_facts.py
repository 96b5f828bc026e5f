"""Every format says of which run it is: program, build, calls, phi, epsilon, algorithm and what was dropped. The values are read from
the profile itself, in which some calls are made to be dropped; the formats are those that hcct-decode has.

usage: check_facts.py HCCT-DECODE PROFILE FOLDER
"""
import gzip
import json
import pathlib
import re
import struct
import subprocess
import sys
import zlib

# Formats for people tell the rest in words; a folded line has no place for it.
HEADINGS = {"tree", "source"}
BARE = {"folded"}
RUN, SECTION, CHECKSUM_AT = 1, 32, 28
decode, folder = sys.argv[1], pathlib.Path(sys.argv[3])
profile = bytearray(pathlib.Path(sys.argv[2]).read_bytes())


def put_checksums():
    count, = struct.unpack_from("<I", profile, 24)
    for at in range(SECTION, SECTION + count * SECTION, SECTION):
        _, _, offset, size = struct.unpack_from("<IIQQ", profile, at)
        struct.pack_into("<I", profile, at + 24, zlib.crc32(profile[offset:offset + size]))
    struct.pack_into("<I", profile, CHECKSUM_AT, 0)
    struct.pack_into("<I", profile, CHECKSUM_AT, zlib.crc32(profile[:SECTION + count * SECTION]))


def section(kind):
    at = next(at for at in range(SECTION, len(profile), SECTION) if struct.unpack_from("<I", profile, at)[0] == kind)
    return struct.unpack_from("<QQ", profile, at + 8)


def put_notes(amounts):
    """Replaces the notes; the sections behind them move."""
    count, = struct.unpack_from("<I", profile, 24)
    notes = next(at for at in range(SECTION, SECTION + count * SECTION, SECTION) if struct.unpack_from("<I", profile, at)[0] == 11)
    content = b"".join(struct.pack("<IIQ", kind, 0, amount) for kind, amount in enumerate(amounts))
    sections = [[profile[at:at + SECTION], bytes(profile[offset:offset + size])] for at in range(SECTION, SECTION + count * SECTION, SECTION)
                for offset, size in [struct.unpack_from("<QQ", profile, at + 8)]]
    sections[(notes - SECTION) // SECTION][1] = content
    at, body = SECTION + count * SECTION, b""
    for entry, part in sections:
        body += bytes(-at % 8)
        at += -at % 8
        struct.pack_into("<QQ", entry, 8, at, len(part))
        body += part
        at += len(part)
    profile[SECTION:] = b"".join(entry for entry, _ in sections) + body
    struct.pack_into("<Q", profile, 16, len(profile))


def string_table(profile):
    """The strings of a profile.proto (field 6), a line each."""
    def varint(at):
        value = shift = 0
        while True:
            value |= (profile[at] & 127) << shift
            at, shift = at + 1, shift + 7
            if profile[at - 1] < 128:
                return value, at
    at, lines = 0, []
    while at < len(profile):
        key, at = varint(at)
        size, at = varint(at)
        if key & 7 == 2:
            if key >> 3 == 6:
                lines.append(profile[at:at + size].decode())
            at += size
    return "\n".join(lines)


put_notes([71, 52, 33, 24, 15])  # dropped: memory, chain, interrupted; stale, overflowed
put_checksums()
(folder / "dropped.bin").write_bytes(profile)
run, _ = section(RUN)
strings, _ = section(2)
columns, _ = section(9)
phi, epsilon = struct.unpack_from("<dd", profile, run + 16)
calls, = struct.unpack_from("<Q", profile, columns + 32)
program, = struct.unpack_from("<I", profile, run + 56)
build, = struct.unpack_from("<Q", profile, run + 40)
algorithm, = struct.unpack_from("<I", profile, run + 4)
facts = {
    "program": profile[strings + program:profile.index(b"\0", strings + program)].decode(),
    "build": f"{build:016x}",
    "calls": calls,
    "phi": f"{phi:g}",
    "epsilon": f"{epsilon:g}",
    "algorithm": ["exact", "space-saving"][algorithm],
    "dropped": "memory 71, chain 52, interrupted 33, undecodable 0, unaccounted 0",
    "misplaced": "stale 24, overflowed 15, lost_pushes 0",
}
assert algorithm == 1 and calls > 1000 and phi == 0.05 and facts["program"].endswith(".program"), facts
refusal = subprocess.run([decode, "--format=?"], check=False, capture_output=True, text=True).stderr
formats = set(re.search(r"not a value of --format \((.*)\)", refusal)[1].split(", "))
assert {"tree", "json", "html", "llvm-sample", "dot"} <= formats, formats
HEAP = {"leaks"}  # only of a profile of the heap
assert HEAP <= formats, formats
wrong = 0
for name in sorted(formats):
    output = folder / f"out.{name}"
    run = subprocess.run([decode, f"--format={name}", "-o", output, folder / "dropped.bin"], check=False, capture_output=True, text=True)
    if name == "pprof" and "built without" in run.stderr:
        continue
    if name in HEAP:
        assert run.returncode == 1 and "metric=heap" in run.stderr and not output.exists(), (name, run.stderr)
        continue
    assert run.returncode == 0, run.stderr
    raw = output.read_bytes()
    text = string_table(gzip.decompress(raw)) if name == "pprof" else raw.decode()
    if name == "json":
        told = json.loads(text)
        told["dropped"], told["misplaced"] = (", ".join(f"{cause} {count}" for cause, count in told[key].items()) for key in ("dropped", "misplaced"))
        missing = [key for key, value in facts.items() if str(told.get(key)) != str(value)]
    elif name in HEADINGS:
        wanted = [facts["program"], f"{calls} calls in ", f"phi {facts['phi']}", f"epsilon {facts['epsilon']}", "71 ", "52 ", "33 "]
        missing = [value for value in wanted if value not in text.split("share")[0]]
    elif name in BARE:
        missing = [line for line in text.splitlines() if not re.fullmatch(r".* \d+", line)]
    else:
        missing = [key for key, value in facts.items() if not re.search(rf"\b{key}\W+{re.escape(str(value))}(?!\w)", text)]
    for each in missing:
        wrong += 1
        print(f"{name} does not tell: {each}")
if wrong:
    sys.exit(f"{wrong} wrong")
print(f"{len(formats - HEAP)} formats tell which run they are of")
