"""Prints the labels of the samples of a pprof profile, each set of them once with the number of its samples: by the wire format alone.

usage: labels.py PROFILE.PB.GZ
"""
import collections
import gzip
import sys

from wire import fields

with gzip.open(sys.argv[1]) as file:
    profile = list(fields(file.read()))
strings = [value.decode() for number, value in profile if number == 6]
sets = collections.Counter()
for sample in (dict_ for number, dict_ in profile if number == 2):
    labels = []
    for number, value in fields(sample):
        if number == 3:
            label = dict(fields(value))
            labels.append(f"{strings[label[1]]}={strings[label[2]] if 2 in label else label[3]}")
    sets[" ".join(labels)] += 1
for labels, count in sets.items():
    print(f"{count} samples: {labels}")
