"""Looks at the numbers that the link wrote into an executable (hcct/linked.h), and spoils them.

usage: linked.py FILE           says whether there are any
       linked.py FILE base      adds 1 to the first base
       linked.py FILE delta     adds 1 to the first delta
       linked.py FILE flags     makes the first function enterable or not
       linked.py FILE place     gives the first function another place by ascending bases
       linked.py FILE mark=FROM takes the mark of FROM, which says that there are numbers
       linked.py PROFILE names=PROFILE   says whether both have the same filter of names
"""
import struct
import sys

NAMES = 13  # HCCT_FILE_NAMES
NUMBERED = struct.pack("<Q", 0x326d756e6b6e696c)


class Elf:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = bytearray(file.read())
        segments, sections = struct.unpack_from("<QQ", self.bytes, 32)
        segment_count, _, section_count, names = struct.unpack_from("<HHHH", self.bytes, 56)
        self.segments = [struct.unpack_from("<IIQQQQ", self.bytes, segments + 56 * i) for i in range(segment_count)]
        headers = [struct.unpack_from("<IIQQQQ", self.bytes, sections + 64 * i) for i in range(section_count)]
        start = headers[names][4]
        # {name: (address, offset, bytes)}
        self.sections = {self.bytes[start + h[0]:self.bytes.index(0, start + h[0])].decode(): h[3:6] for h in headers}

    def offset(self, address):
        return next(offset + address - start for kind, _, offset, start, _, size in self.segments if kind == 1 and start <= address < start + size)

    def add(self, offset, form, number):
        struct.pack_into(form, self.bytes, offset, struct.unpack_from(form, self.bytes, offset)[0] + number)


def first_with_delta(elf):
    """The places in the file of the first function's record that has a delta, and of its state."""
    address, offset, size = elf.sections["hcct_functions"]
    for at in range(0, size, 40):
        _, state, _, _, deltas, _ = struct.unpack_from("<iiiIII", elf.bytes, offset + at)
        if deltas:
            return offset + at, elf.offset(address + at + 4 + state)
    sys.exit("no function has a delta")


def names(profile):
    """The section of names (format/layout.h)."""
    with open(profile, "rb") as file:
        data = file.read()
    count = struct.unpack_from("<I", data, 24)[0]
    sections = [struct.unpack_from("<IIQQII", data, 32 + 32 * i) for i in range(count)]
    return next(data[offset:offset + size] for kind, _, offset, size, _, _ in sections if kind == NAMES)


path, what = sys.argv[1], (sys.argv[2:] + [""])[0]
if what.startswith("names="):
    print("the same names" if names(path) == names(what.removeprefix("names=")) else "other names")
    sys.exit()
program = Elf(path)
_, mark, mark_size = program.sections["hcct_linked"]
if not what:
    print("numbered" if program.bytes[mark:mark + 8] == NUMBERED else "not numbered")
    sys.exit()
record, place = first_with_delta(program)
if what == "base":
    program.add(place, "<Q", 1)
elif what == "delta":
    program.add(place + 24, "<q", 1)
elif what == "flags":
    program.bytes[record + 20] ^= 1
elif what == "place":
    program.bytes[record + 21] ^= 1
else:
    other = Elf(what.removeprefix("mark="))
    _, start, size = other.sections["hcct_linked"]
    program.bytes[mark:mark + mark_size] = other.bytes[start:start + size]
with open(path, "wb") as file:
    file.write(program.bytes)
