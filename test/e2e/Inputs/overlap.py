"""Lets tables of a file of a killed process (format/live.h) overlap.

usage: overlap.py FILE OUT again|page|thousands|summary cct|hcct

again: a thread's table stands twice in the list; page: it begins a page early; thousands: it stands 10,000 times in the list; summary: the
counters begin within the head of the summary (in mode=cct, as `again`).
"""
import struct
import sys

PIECES, KINDS_AT, SUMMARY, WORKER = 16000, 32, 2, 5
PIECES_AT = KINDS_AT + PIECES

path, out, how, mode = sys.argv[1:]
with open(path, "rb") as file:
    data = bytearray(file.read())
count = struct.unpack_from("<I", data, 16)[0]
kinds = data[KINDS_AT:KINDS_AT + count]
worker = kinds.index(WORKER)
offset, length, address = struct.unpack_from("<QQQ", data, PIECES_AT + 24 * worker)


def add_piece(at):
    global count
    data[KINDS_AT + count] = WORKER
    struct.pack_into("<QQQ", data, PIECES_AT + 24 * count, at, length, address + (count << 32))
    count += 1
    struct.pack_into("<I", data, 16, count)


if how == "summary" and mode == "hcct":
    at = struct.unpack_from("<Q", data, PIECES_AT + 24 * kinds.index(SUMMARY))[0]
    struct.pack_into("<Q", data, at + 40, 8)
elif how == "page":
    add_piece(offset - 4096)
else:
    for _ in range(10000 if how == "thousands" else 1):
        add_piece(offset)
with open(out, "wb") as file:
    file.write(data)
