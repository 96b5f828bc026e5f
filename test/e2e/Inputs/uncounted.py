"""Writes a profile with an uncounted object that it does not have, with all checksums right. usage: uncounted.py PROFILE > OUT"""
import struct
import sys
import zlib

UNCOUNTED, SECTION, HEADER = 31, 32, 32
data = bytearray(open(sys.argv[1], "rb").read())
count = struct.unpack_from("<I", data, 24)[0]
table = range(HEADER, HEADER + SECTION * count, SECTION)
at, = (at for at in table if struct.unpack_from("<I", data, at)[0] == UNCOUNTED)
offset, size = struct.unpack_from("<QQ", data, at + 8)
data[offset:offset + 8] = struct.pack("<Q", 99)
struct.pack_into("<I", data, at + 24, zlib.crc32(data[offset:offset + size]))
struct.pack_into("<I", data, 28, 0)
struct.pack_into("<I", data, 28, zlib.crc32(data[:HEADER + SECTION * count]))
sys.stdout.buffer.write(data)
