"""usage: merge_trials.py PROFILE COPY TWICE FIVE_TIMES WITH_ANOTHER"""
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "hostile", "Inputs"))
import packed


def trials(path):
    """Of each entry's word."""
    _, sections = packed.read(path)
    content, = (content for kind, _, _, content in packed.unpacked(sections) if kind == 7)
    return {word: count for word, _, _, _, count in struct.iter_unpack("<QQQII", content)}


one, copy, twice, five, other = map(trials, sys.argv[1:])
assert any(one.values()), "the run told no trials"
for times, found in ((1, copy), (2, twice), (5, five)):
    assert found.keys() == one.keys()
    for word, count in one.items():
        assert abs(found[word] - times * count) <= times, (times, word, count, found[word])
assert not any(other.values())
