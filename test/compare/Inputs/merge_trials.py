"""usage: merge_trials.py PROFILE COPY TWICE FIVE_TIMES WITH_ANOTHER"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "hostile", "Inputs"))
import packed


def trials(path):
    """Of each context's word."""
    return {word: mark for (word, _), (mark, _, _) in packed.cells(path)[0].items()}


one, copy, twice, five, other = map(trials, sys.argv[1:])
assert any(one.values()), "the run told no trials"
for times, found in ((1, copy), (2, twice), (5, five)):
    assert found.keys() == one.keys()
    for word, count in one.items():
        assert abs(found[word] - times * count) <= times, (times, word, count, found[word])
assert not any(other.values())
