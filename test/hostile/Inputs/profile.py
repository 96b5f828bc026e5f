"""Writes profiles that no run would leave, with all checksums right. format/layout.h is what it knows.

usage: profile.py KIND FILE [NUMBERS]
"""
import struct
import sys
import zlib

NONE = 0xFFFFFFFF
PUSHES = -(1 << 63)
ELEMENT_BYTES = {15: 104, 1: 96, 2: 1, 3: 48, 4: 56, 5: 32, 6: 24, 7: 16, 8: 8, 9: 64, 10: 24, 11: 16}
ROOT = struct.pack("<QQII", 0, 0, NONE, 0)


def mix(word, site):
    product = word * site % (1 << 64)
    return int.from_bytes(product.to_bytes(8, "little"), "big")


class Profile:
    """Functions and sites by their numbers; function i has the one id 3 + i."""

    def __init__(self, calls=1, mode=1, scheme=0, algorithm=None, floor=0, dropped_memory=0, dropped_chain=0, phi=1e-4, stale=0, build_id=1,
                 epsilon=None, capacity=0, delta=0, metric=0, name="calls", unit="calls", guarantee=None, period=0):
        self.texts, self.offsets = bytearray(b"\0"), {b"": 0}
        self.functions, self.sites, self.inlined, self.prefixes, self.contexts, self.cells = [], [], [], [ROOT], [], []
        self.others = []  # sections that few profiles have
        self.columns = []  # beside the first one: (name, part, unit, guarantee, {context: (mark, count, error)}, total, floor, missing, period)
        self.first = (name, "", unit, (0 if mode else 1) if guarantee is None else guarantee)
        self.period, self.program, self.program_build = period, "/tmp/program", ""
        self.mode, self.calls, self.floor = mode, calls, floor
        self.notes = [(kind, amount) for kind, amount in ((0, dropped_memory), (1, dropped_chain), (3, stale)) if amount]
        self.run = struct.pack(
            "<HHHHHHIddQQQIIIIIIQQ", mode, scheme, (0 if mode else 1) if algorithm is None else algorithm, delta, 0, metric, 1, phi,
            (0 if mode else phi / 5) if epsilon is None else epsilon, capacity, build_id, 0,
            self.text("/tmp/program"), self.text("program"), self.text("host"), 0, 1, 0, 0, 0)

    def text(self, text):
        text = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
        if text not in self.offsets:
            self.offsets[text] = len(self.texts)
            self.texts += text + b"\0"
        return self.offsets[text]

    def function(self, name, file="a.c", local=False, source=None, contexts=1):
        number = len(self.functions)
        flags = 2 if local else 1
        self.functions.append(struct.pack("<QQIIIIIIQ", 3 + number, contexts, self.text(name), self.text(name if source is None else source),
                                          self.text(file), 1, flags, 0, 0))
        return number

    def site(self, caller, callee, delta, file="a.c", name="", inlined=NONE, identity=None):
        identity = identity or len(self.sites) * 2000006 + 1000001
        self.sites.append(struct.pack("<QqIIIIIIIIII", identity, delta, caller, callee, self.text(name), self.text(file),
                                      len(self.sites) + 1, 1, inlined, 4 if delta == PUSHES else 16, 1, 0))
        return identity

    def push(self, word, site, parent):
        self.prefixes.append(struct.pack("<QQII", word, site, parent, 1))
        return len(self.prefixes) - 1, mix(word, site)

    def place(self, word, parent, address, file_hash=0):
        """A place in the code of a context: its prefix, and the word of what was counted there. file_hash: hcct_layout_leaf_site of the object's name."""
        site = file_hash >> 41 << 41 | address << 1 | 1
        self.prefixes.append(struct.pack("<QQII", word, site, parent, 6))
        return len(self.prefixes) - 1, mix(word, site)

    def count(self, word, count=1, prefix=0, error=0, mark=0):
        self.cells.append(struct.pack("<IIQQ", len(self.contexts), mark, count, error))
        self.contexts.append(struct.pack("<QII", word, prefix, 0))

    def column(self, name, part, unit, guarantee, cells, total, floor, missing, period):
        first = len(self.cells)
        self.cells += [struct.pack("<IIQQ", context, *cell) for context, cell in sorted(cells.items())]
        return struct.pack("<IIIHHIIIIQQQQ", self.text(name), self.text(part), self.text(unit), guarantee, 0, first, len(cells), 0, 0, total, floor, missing, period)

    def write(self, path):
        name, part, unit, guarantee = self.first
        columns = struct.pack("<IIIHHIIIIQQQQ", self.text(name), self.text(part), self.text(unit), guarantee, 0, 0, len(self.cells), 0, 0, self.calls, self.floor, 0, self.period)
        columns += b"".join(self.column(*column) for column in self.columns)
        notes = b"".join(struct.pack("<IIQ", kind, 0, amount) for kind, amount in self.notes)
        parts = [(6, b"".join(self.prefixes)), (7, b"".join(self.contexts)), (9, columns), (10, b"".join(self.cells)), (11, notes), (3, b"".join(self.functions)), (4, b"".join(self.sites)),
                 (5, b"".join(self.inlined)), (8, struct.pack("<II", self.text(self.program), self.text(self.program_build))), (1, self.run), (2, bytes(self.texts))] + self.others
        at, table, body = 32 + 32 * len(parts), b"", b""
        for kind, content in parts:
            body += b"\0" * (-at % 8)
            at += -at % 8
            table += struct.pack("<IIQQII", kind, ELEMENT_BYTES[kind], at, len(content), zlib.crc32(content), 0)
            body += content
            at += len(content)
        head = struct.pack("<8sIIQI", b"HCCTIDS\n", 3, 32, at, len(parts))
        checksum = zlib.crc32(head + b"\0\0\0\0" + table)
        with open(path, "wb") as file:
            file.write(head + struct.pack("<I", checksum) + table + body)


def chain(length, rounds, each, name="f{}", each_last=False):
    """A chain of functions, whose last one calls the first one again, `rounds` times. `each`: all are counted. `each_last`: the last one, each time."""
    profile = Profile(calls=length * (rounds + 1) if each else rounds + 1 if each_last else 1)
    for i in range(length):
        profile.function(name.format(i), local=i > 0)
    for i in range(length - 1):
        profile.site(i, i + 1, 1)
    again = profile.site(length - 1, 0, PUSHES)
    prefix, hashed = 0, 0
    for round_ in range(rounds + 1):
        for i in range(length):
            if each or ((each_last or round_ == rounds) and i == length - 1):
                profile.count((hashed + 3 + i) % (1 << 64), 1, prefix)
        if round_ < rounds:
            prefix, hashed = profile.push((hashed + 2 + length) % (1 << 64), again, prefix)
    return profile


def bomb(length, rounds):
    return chain(int(length), int(rounds), False)


def comb(length, rounds):
    """Few bytes for each of many deep paths."""
    return chain(int(length), int(rounds), False, each_last=True)


def deep(length):
    """A path of that many functions, each counted."""
    return chain(int(length), 0, True)


def alike(length, name_bytes):
    """The same, but that all have one name."""
    return chain(int(length), 0, True, "f" * int(name_bytes))


def shared(functions, name_bytes):
    """Many functions of one long name."""
    profile = Profile(calls=int(functions))
    for i in range(int(functions)):
        profile.function("n" * int(name_bytes))
        profile.count(3 + i)
    return profile


def inlines(sites, frames):
    """Calls of one site, as guesses, behind a long row of inlined frames."""
    profile = Profile(calls=1)
    profile.function("main")
    name = profile.text("inlined")
    for i in range(int(frames)):
        profile.inlined.append(struct.pack("<IIIIIIHHI", name, name, 0, 1, 0, 1, 1, 0, i - 1 if i else NONE))
    for i in range(int(sites)):
        profile.function(f"f{i}")
    for i in range(int(sites)):
        profile.site(0, i + 1, i + 1, inlined=int(frames) - 1, identity=1000001)
        profile.count(4 + i)
    return profile


def mangled(levels):
    """A name of a few bytes per level, each of which is twice as long as the one before when it is demangled."""
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    profile = Profile(calls=1)
    profile.function("_Z1f1aIiiE" + "".join(f"S_IS{digits[i]}_S{digits[i]}_E" for i in range(int(levels))))
    profile.count(3)
    return profile


def rust():
    """Rust's names of both schemes, of libraries and of none, and some that end too early."""
    profile = Profile(calls=1)
    paths = ("core fmt write", "main foo", "_$LT$T$u20$as$u20$core..convert..From$LT$T$GT$$GT$ from", "_$LT$dyn$u20$main..Shape$GT$ area",
             "_$LT$$u5b$T$u5d$GT$ len", "_$LT$T", "_$LT$$RF$ abc")
    for name in ["_ZN" + "".join(f"{len(part)}{part}" for part in path.split()) + "17h0123456789abcdefE" for path in paths] + [
            "_RNvC4main3foo", "_RNvNtC4core3fmt5write", "_RNvMC4mainNtC4main1S3new", "_RINvC4main3mapNtC3std1VE", "_RNCNvC4main4main0",
            "_RNvXC4mainNtC4main1SNtC4core5Clone5clone", "_RNvXs_C4mainRShNtC4core5Clone5clone"]:
        profile.count(3 + profile.function(name))
        profile.function(name[:-3])
    return profile


def empty(functions):
    """Nothing was counted."""
    profile = Profile(calls=0)
    for i in range(int(functions)):
        profile.function(f"f{i}")
    return profile


def estimates(kind):
    """One sample of that kind."""
    profile = scheme(0)
    profile.others.append((15, struct.pack("<6Q2d5Q", 0, 0, 1, 1, 0, 1, 1, 1, 0, 0, int(kind), 1, 0)))
    return profile


def scheme(number):
    """Contexts in that encoding."""
    profile = Profile(calls=1, scheme=int(number))
    profile.function("main")
    profile.count(3)
    return profile


def overlap():
    """Two functions whose ids overlap."""
    profile = Profile()
    profile.function("main", contexts=9)
    profile.function("other", contexts=9)
    return profile


def wide(contexts):
    """main, with so many contexts."""
    profile = Profile()
    profile.function("main", contexts=int(contexts))
    profile.count(3)
    return profile


def lost(build_id):
    """7 calls behind a push that is at no call site, and 2 of a context that is none."""
    profile = Profile(calls=10, build_id=int(build_id))
    profile.function("main")
    profile.function("work")
    profile.count(3)
    prefix, word = profile.push(3, 12345, 0)
    profile.count(word + 4, 7, prefix)
    profile.count(1 << 40, 2)
    return profile


def algorithm(number):
    """A profile that this algorithm made; 0 is exact."""
    profile = Profile(calls=1, mode=int(number == "0"), algorithm=int(number))
    profile.function("main")
    profile.count(3)
    return profile


# Each means something to some format, to a terminal, or to nobody.
NAMES = [
    b"\x1b[31mred\x1b]0;title\x07", b"\xc2\x9b2J\xc2\x9d1;title\xc2\x9c", b"\x9b31mbyte", b"line\nmain;forged 1000000", b"return\rover",
    b"tab\tab", b"\b\b\bback", b"del\x7f", b"quotes\"'`$(id)", b"</script><script>alert(1)</script>", b"<!--<script>", b"&amp;&lt;&#60;",
    b"]]>", b"semi;colon 12", b"back\\slash\\", b"\xff\xfe\xc0\x80", b"cut\xe2\x82", b"\xed\xa0\x80surrogate", b"\xef\xbf\xbenoncharacter",
    b"\xe2\x80\xaeright\xe2\x80\xac", b"\xe2\x81\xa6isolate\xe2\x81\xa9\xd8\x9c\xe2\x80\x8f", b"\xe2\x80\xa8separator\xe2\x80\xa9", b"%s%n%d",
    b"=cmd|calc!A1", b"fn=(1) calls=1 1", b"[a:1 @ b]:1:1", b"#comment, 'x'", b"  lead  ", b"-x \\l\\N\\G", b"long" * 25000,
]


def names():
    """A call of each, 10 + i times the i-th, whose file has the same name."""
    profile = Profile(calls=1 + sum(10 + i for i in range(len(NAMES))))
    profile.function("main")
    for name in NAMES:
        profile.function(name, file=name + b".c", source="")
    for i, name in enumerate(NAMES):
        profile.site(0, i + 1, i + 1, file=name + b".h")
        profile.count(4 + i, 10 + i)
    profile.count(3, 1)
    return profile


def places(length):
    """Places below places, which no run leaves; with a push and a leaf below the last one."""
    profile = Profile(metric=2, name="time", unit="ns", guarantee=2, calls=3 * int(length) + 3)
    profile.program_build = "00"
    profile.function("main")
    again = profile.site(0, 0, PUSHES)
    word, prefix = 3, 0
    for i in range(int(length)):
        prefix, word = profile.place(word, prefix, i % 1000 << 30 | i)
        profile.count(word, 3, prefix)
    pushed, hashed = profile.push(word + 3, again, prefix)
    profile.count((hashed + 3) % (1 << 64), 1, pushed)
    profile.prefixes.append(struct.pack("<QQII", word, 77, prefix, 4))
    profile.count(mix(word, 77), 1, len(profile.prefixes) - 1)
    profile.count(word + 3, 1, prefix)
    return profile


if __name__ == "__main__":
    {"places": places, "names": names, "empty": empty, "bomb": bomb, "comb": comb, "deep": deep, "alike": alike, "shared": shared, "inlines": inlines, "mangled": mangled, "rust": rust, "scheme": scheme, "estimates": estimates, "algorithm": algorithm, "overlap": overlap, "wide": wide, "lost": lost}[sys.argv[1]](*sys.argv[3:]).write(sys.argv[2])
