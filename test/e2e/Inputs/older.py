"""Makes a profile three hours older.

usage: older.py FILE
"""
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "hostile", "Inputs"))
import packed  # noqa: E402

sections = packed.read(sys.argv[1])
for section in sections:
    if section[0] == 1:  # the run: start and end are its last two numbers
        start, end = struct.unpack("<QQ", section[3][-16:])
        section[3] = section[3][:-16] + struct.pack("<QQ", start - 3 * 3600 * 10**9, end - 3 * 3600 * 10**9)
packed.write(sys.argv[1], sections)
