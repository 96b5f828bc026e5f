"""Packs and unpacks profiles by docs/format.md alone.

usage: packed.py unpack|pack FROM TO         all sections that may be packed, checksums right
       packed.py CASE FROM TO                a file with a section that is packed wrongly; FROM is not packed
       packed.py backwards FROM TO           its contexts in the other order, without packing
       packed.py sizes FILE                  prints the bytes of the file and of what it means
"""
import struct
import sys
import zlib

PACKED = {3, 4, 5, 6, 7, 9, 10}


def read(path):
    """[kind, element_bytes, flags, content], each section."""
    with open(path, "rb") as file:
        data = file.read()
    count, = struct.unpack_from("<I", data, 24)
    table = [struct.unpack_from("<IIQQII", data, 32 + 32 * i) for i in range(count)]
    return [[kind, element, flags, data[offset:offset + size]] for kind, element, offset, size, _, flags in table]


def write(path, sections):
    at, table, body = 32 + 32 * len(sections), b"", b""
    for kind, element, flags, content in sections:
        body += b"\0" * (-at % 8)
        at += -at % 8
        table += struct.pack("<IIQQII", kind, element, at, len(content), zlib.crc32(content), flags)
        body += content
        at += len(content)
    head = struct.pack("<8sIIQI", b"HCCTIDS\n", 3, 32, at, len(sections))
    checksum = zlib.crc32(head + b"\0\0\0\0" + table)
    with open(path, "wb") as file:
        file.write(head + struct.pack("<I", checksum) + table + body)


BYTES = (0, 1, 2, 4)


def pack(content, element):
    out, before = bytearray(), [0] * (element // 4)
    for at in range(0, len(content), element):
        words = struct.unpack_from(f"<{element // 4}I", content, at)
        changed = [a ^ b for a, b in zip(words, before)]
        for group in range(0, len(changed), 4):
            codes = [min(code for code in range(4) if word < 256 ** BYTES[code]) for word in changed[group:group + 4]]
            out.append(sum(code << 2 * i for i, code in enumerate(codes)))
            for word, code in zip(changed[group:], codes):
                out += word.to_bytes(BYTES[code], "little")
        before = words
    return bytes(out)


def unpack(content, element):
    out, before, at = bytearray(), [0] * (element // 4), 0
    while at < len(content):
        for i in range(element // 4):
            if i % 4 == 0:
                tag, at = content[at], at + 1
            size = BYTES[tag >> 2 * (i % 4) & 3]
            before[i] ^= int.from_bytes(content[at:at + size], "little")
            at += size
        out += struct.pack(f"<{len(before)}I", *before)
    assert at == len(content)
    return bytes(out)


def cells(path, column=0):
    """What a column has: {(word, prefix): (mark, count, error)}, and its descriptor."""
    by_kind = {kind: content for kind, _, _, content in unpacked(read(path))}
    contexts = [context[:2] for context in struct.iter_unpack("<QII", by_kind[7])]
    columns = list(struct.iter_unpack("<IIIHHIIIIQQQQ", by_kind[9]))
    first, count = columns[column][5:7]
    found = list(struct.iter_unpack("<IIQQ", by_kind[10]))[first:first + count]
    return {contexts[context]: (mark, amount, error) for context, mark, amount, error in found}, columns[column]


def packed(sections):
    return [[kind, element, int(kind in PACKED), pack(content, element) if kind in PACKED else content] for kind, element, _, content in sections]


def unpacked(sections):
    return [[kind, element, 0, unpack(content, element) if flags else content] for kind, element, flags, content in sections]


def spoil(case, sections):
    """The section of sites is packed, and wrong."""
    site = next(section for section in sections if section[0] == 4)
    site[3] = pack(site[3], 56)
    if case == "cut":  # the last element lacks a word
        site[3] = site[3][:-1]
    elif case == "torn":  # there is a tag behind it
        site[3] += b"\x01"
    elif case == "tag":  # the last tag of the first element has bits of words that are not there
        site[3] = b"\x00\x00\x00\x10" + site[3]
    elif case == "odd":  # elements that are no words
        site[1] = 57
    elif case == "long":  # elements of too many words
        site[1] = 72
    elif case == "empty":  # elements of no bytes
        site[1], site[3] = 0, b""
    site[2] = 2 if case == "flags" else 1
    return sections


def backwards(sections):
    by_kind = {section[0]: section for section in sections}
    contexts = list(struct.iter_unpack("<QQ", by_kind[7][3]))
    cells = list(struct.iter_unpack("<IIQQ", by_kind[10][3]))
    by_kind[7][3] = b"".join(struct.pack("<QQ", *context) for context in reversed(contexts))
    by_kind[10][3] = b"".join(struct.pack("<IIQQ", len(contexts) - 1 - context, *rest)
                              for first, count in (column[5:7] for column in struct.iter_unpack("<IIIHHIIIIQQQQ", by_kind[9][3]))
                              for context, *rest in reversed(cells[first:first + count]))
    return sections


def main(case, source, target=None):
    sections = read(source)
    if case == "sizes":
        print(sum(len(section[3]) for section in sections), sum(len(section[3]) for section in unpacked(sections)))
    elif case == "unpack":
        write(target, unpacked(sections))
    elif case == "pack":
        write(target, packed(sections))
    elif case == "backwards":
        write(target, backwards(unpacked(sections)))
    else:
        write(target, spoil(case, sections))


if __name__ == "__main__":
    main(*sys.argv[1:])
