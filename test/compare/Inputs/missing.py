"""Holds what a heading says of contexts that may be missing against an exact profile.

usage: missing.py EXACT.json HOT.json TREE.txt
"""
import re
import sys
from contexts import Contexts

contexts = Contexts()
exact, hot = contexts.read(sys.argv[1]), contexts.read(sys.argv[2])
with open(sys.argv[3]) as file:
    said = int(re.search(r"of those with up to (\d+) calls some may be missing", file.read())[1])
missing = [count for context, count in exact.counts.items() if context not in hot.counts]
print(f"{len(missing)} are missing, of {max(missing)} calls at the most; said: {said}")
sys.exit(max(missing) > said)
