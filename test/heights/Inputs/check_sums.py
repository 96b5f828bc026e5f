"""usage: check_sums.py POINTERS SITES [MAIN > SAMPLES]

POINTERS has leaf's frame pointer and place for each path. Fails unless the pointers are as far apart as the sums of the callers' frames that `hcct-heights
sites` lists. With MAIN, main's address: writes the samples that these paths are, of a program that may have wrappers."""
import sys

paths = [(path.split(";"), int(frame, 16), int(place), count) for path, frame, place, count in (line.split() for line in open(sys.argv[1]))]
sizes, by_pointer = {}, {}
for _, caller, size, kind, callee in (line.split() for line in open(sys.argv[2])):
    if kind == "direct":
        sizes[caller, callee.split(".")[-1]] = int(size)
    elif kind == "indirect" and caller in "abcd leaf":
        by_pointer[caller] = int(size)
base = sizes["main", "leaf"] + next(frame for steps, frame, _, _ in paths if len(steps) == 2)
for steps, frame, place, count in paths:
    if len(sys.argv) > 3:
        print(hex(int(sys.argv[3], 16) + place), base - frame + by_pointer["leaf"], count)
    elif (height := sum(sizes.get(pair, by_pointer.get(pair[0])) for pair in zip(steps, steps[1:]))) != base - frame:
        sys.exit(f"{steps}: {height}, but the frame pointers say {base - frame}")
print(len(paths), file=sys.stderr)
