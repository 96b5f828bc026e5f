"""usage: merge_trials.py PROFILE COPY TWICE FIVE_TIMES WITH_ANOTHER"""
import struct
import sys


def trials(path):
    """Of each entry's word."""
    with open(path, "rb") as file:
        data = file.read()
    sections, = struct.unpack_from("<I", data, 24)
    for i in range(sections):
        kind, element, offset, size = struct.unpack_from("<IIQQ", data, 32 + 32 * i)
        if kind == 7:
            return {struct.unpack_from("<Q", data, at)[0]: struct.unpack_from("<I", data, at + 28)[0] for at in range(offset, offset + size, element)}
    raise AssertionError("no entries")


one, copy, twice, five, other = map(trials, sys.argv[1:])
assert any(one.values()), "the run told no trials"
for times, found in ((1, copy), (2, twice), (5, five)):
    assert found.keys() == one.keys()
    for word, count in one.items():
        assert abs(found[word] - times * count) <= times, (times, word, count, found[word])
assert not any(other.values())
