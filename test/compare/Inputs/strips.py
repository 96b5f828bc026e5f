"""What the strips of a sum of runs of strip.c must be, by the numbers of these runs; and files that are refused.

usage: strips.py check SUM.json RUNS SIZES   (SIZES: how many runs each bin has, as 2*50,1*1)
       strips.py hide FILE OUT               (the section becomes one that nobody knows)
       strips.py break FILE OUT WORD VALUE   (the word of the section that gets another value; -1: the last one)
"""
import json
import struct
import sys
import zlib


def check(path, runs, wanted):
    with open(path) as file:
        profile = json.load(file)
    sizes = profile["strip_profiles"]
    right = [int(size) for it in wanted.split(",") for count, size in [it.split("*")[::-1]] for _ in range(int(count))]
    assert sizes == right and sum(sizes) == runs, sizes
    of = {"main": lambda i: 1, "all": lambda i: 7, "even": lambda i: 0 if i % 2 else 100 + i, "odd": lambda i: 100 + i if i % 2 else 0}
    found = {}
    for node in profile["nodes"]:
        if node["count"] is not None:
            found[profile["frames"][node["frame"]]["function"]] = node["spread"]["strip"]
    assert set(found) == set(of), found
    for name, strip in found.items():
        at, right = 0, []
        for size in sizes:
            right.append(sum(of[name](i) for i in range(at, at + size)))
            at += size
        assert strip == right, (name, strip, right)
    print(len(sizes), "bins are right")


def change(path, out, kind, word=None, value=None):
    """Gives the section another kind, that nobody knows, or one of its words another value, with the right checksums."""
    data = bytearray(open(path, "rb").read())
    count, = struct.unpack_from("<I", data, 24)
    for at in range(32, 32 + 32 * count, 32):
        found, _, offset, length = struct.unpack_from("<IIQQ", data, at)
        if found != 30:
            continue
        struct.pack_into("<I", data, at, kind)
        if word is not None:
            struct.pack_into("<Q", data, offset + 8 * word + (length if word < 0 else 0), value)
            struct.pack_into("<I", data, at + 24, zlib.crc32(data[offset:offset + length]))
    struct.pack_into("<I", data, 28, 0)
    struct.pack_into("<I", data, 28, zlib.crc32(data[:32 + 32 * count]))
    open(out, "wb").write(data)


if sys.argv[1] == "check":
    check(sys.argv[2], int(sys.argv[3]), sys.argv[4])
elif sys.argv[1] == "hide":
    change(sys.argv[2], sys.argv[3], 777)
else:
    change(sys.argv[2], sys.argv[3], 30, int(sys.argv[4]), int(sys.argv[5]))
