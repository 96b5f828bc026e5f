"""Compares the tree of a narrow terminal with the whole one: as many lines, none too wide, numbers and names as they were.

usage: check_narrow.py WIDTH WHOLE NARROW
"""
import re
import sys

width = int(sys.argv[1])
whole, narrow = (open(name, encoding="utf-8").read().split("calls  context\n")[1].splitlines() for name in sys.argv[2:4])
assert len(whole) == len(narrow) > 50, (len(whole), len(narrow))
cut = levels = 0
for old, new in zip(whole, narrow):
    assert len(new) <= width, new
    assert old[:27] == new[:27], (old, new) # shares and count
    name = re.search(r"(?:[├└]─ |  )(\S+?)(  \S+)?$", new)[1]
    if "…" in name:
        head, tail = name.split("…")
        assert re.search(re.escape(head) + ".+" + re.escape(tail) + r"(  \S+)?$", old), (old, new)
        cut += 1
    else:
        assert name in old, (old, new)
    if number := re.match(r".{27}…(\d+)", new):
        assert (re.search("[├└]", old).start() - 27) // 3 >= int(number[1]), (old, new)
        levels += 1
assert cut and levels
