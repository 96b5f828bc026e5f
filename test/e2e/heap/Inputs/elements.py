"""elements.py FILE BYTES OUT: the same profile, with heap elements of so many bytes: cut, or with bytes behind that nobody knows."""
import struct
import sys
import zlib

HEAP, HEADER, ENTRY = 14, 32, struct.Struct("<IIQQII")
data, wanted = open(sys.argv[1], "rb").read(), int(sys.argv[2])
magic, version, header_bytes, _, count, _ = struct.unpack_from("<8sIIQII", data)
table, body, at = b"", b"", HEADER + count * ENTRY.size
for i in range(count):
    kind, element, offset, size, _, flags = ENTRY.unpack_from(data, HEADER + i * ENTRY.size)
    part = data[offset:offset + size]
    if kind == HEAP:
        part = b"".join((part[j:j + element] + b"\xff" * wanted)[:wanted] for j in range(0, size, element))
        element = wanted
    gap = -at % 8
    table += ENTRY.pack(kind, element, at + gap, len(part), zlib.crc32(part), flags)
    body += bytes(gap) + part
    at += gap + len(part)


def header(checksum):
    return struct.pack("<8sIIQII", magic, version, header_bytes, at, count, checksum)


open(sys.argv[3], "wb").write(header(zlib.crc32(header(0) + table)) + table + body)
