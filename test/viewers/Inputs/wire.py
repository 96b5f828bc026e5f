"""Reads protobuf by the wire format alone: what profile.proto needs of it."""


def fields(data):
    """(number, value) of a message; a value is an integer, or bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            value |= (data[at] & 127) << shift
            shift, at = shift + 7, at + 1
            if data[at - 1] < 128:
                return value

    while at < len(data):
        tag = varint()
        assert tag & 7 in (0, 2), "no such type in profile.proto"
        if tag & 7 == 0:
            yield tag >> 3, varint()
        else:
            length = varint()
            yield tag >> 3, data[at:at + length]
            at += length


def numbers(data):
    """Integers that are packed into one field."""
    value = shift = 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield value
            value = shift = 0
