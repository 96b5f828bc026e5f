"""Adds up the lines of folded stacks that have one path."""
import collections
import sys

sums = collections.Counter()
for line in sys.stdin:
    path, count = line.rsplit(" ", 1)
    sums[path] += int(count)
for path, count in sums.items():
    print(path, count)
