"""Checks that a difference on a narrow terminal has the rows of the plain one, with paths that go on below their first frame.

usage: check_wrapped.py WIDTH PLAIN WRAPPED
"""
import re
import sys

width, (plain, wrapped) = int(sys.argv[1]), (open(name, encoding="utf-8").read() for name in sys.argv[2:4])
rows = wrapped[wrapped.index("\n\n"):]
indent = rows.index("context:") - 2
joined, count = re.subn(rf"\n {{{indent}}}(?=\S)", " ", wrapped)
assert count > 10, count
assert joined.split() == plain.split(), joined
for line in rows.splitlines()[3:]:
    assert len(line) <= width or "<-" not in line[indent + 3:], line
