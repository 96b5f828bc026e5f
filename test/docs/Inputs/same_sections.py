"""Checks that two profiles of one program differ in nothing but strings, times and sizes: equal prefixes, contexts, functions and sites.

usage: same_sections.py A B
"""
import struct
import sys

FUNCTIONS, SITES, PREFIXES, CONTEXTS = 3, 4, 6, 7
STRINGS = {FUNCTIONS: (16, 28), SITES: (24, 32)}  # offsets of strings: from, to


def sections(name):
    data = open(name, "rb").read()
    header_bytes, count = struct.unpack_from("<I", data, 12)[0], struct.unpack_from("<I", data, 24)[0]
    found = {}
    for i in range(count):
        kind, size, offset, length = struct.unpack_from("<IIQQ", data, header_bytes + 32 * i)
        start, stop = STRINGS.get(kind, (0, 0))
        elements = [data[at : at + size] for at in range(offset, offset + length, size)]
        found[kind] = sorted(e[:start] + e[stop:] for e in elements)
    return found


a, b = (sections(name) for name in sys.argv[1:3])
for kind, elements in ((PREFIXES, 3), (CONTEXTS, 6), (FUNCTIONS, 3), (SITES, 3)):
    assert len(a[kind]) == elements and a[kind] == b[kind], (kind, a[kind], b[kind])
