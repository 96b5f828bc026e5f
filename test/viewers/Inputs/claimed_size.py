"""A copy of a profile whose header and section table claim 4 GB, with the right checksum: argv: IN OUT.

The last section is said to have so many bytes; the file has them, as a hole.
"""
import struct
import sys
import zlib

with open(sys.argv[1], "rb") as file:
    head = bytearray(file.read(8192))
count, = struct.unpack_from("<I", head, 24)
last = 32 + 32 * (count - 1)
element, offset = struct.unpack_from("<IQ", head, last + 4)
size = (4 << 30) // element * element
struct.pack_into("<Q", head, last + 16, size)
struct.pack_into("<I", head, last + 28, 0)
struct.pack_into("<Q", head, 16, offset + size)
struct.pack_into("<I", head, 28, 0)
struct.pack_into("<I", head, 28, zlib.crc32(head[: last + 32]))
with open(sys.argv[2], "wb") as file:
    with open(sys.argv[1], "rb") as other:
        file.write(head[: last + 32] + other.read()[last + 32 : offset])
    file.truncate(offset + size)
