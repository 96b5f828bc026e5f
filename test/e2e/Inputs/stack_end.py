"""stack_end.py PRINTED FOLDED TREE: holds the profile of stack-end.c against what the program counted itself. A call at which the stack ended
was entered or was not: that is one call in doubt for each overflow."""
import re
import sys

printed, folded, tree = (open(name, encoding="utf-8").read() for name in sys.argv[1:])
overflows, entered, handled = map(int, printed.split())
counts = {}
for line in folded.splitlines():
    path, count = line.rsplit(" ", 1)
    last = re.sub(r" \[x\d+\]$", "", path.split(";")[-1])
    counts[last] = counts.get(last, 0) + int(count)

wrong = []


def expect(what, low, high):
    if not low <= counts.get(what, 0) <= high:
        wrong.append(f"{what}: {counts.get(what, 0)}, not {low} to {high}")


if "every count exact" in tree:  # else cold contexts may be missing
    expect("after", 3 * overflows, 3 * overflows)
    expect("told", overflows, overflows)
    expect("overflown", overflows, overflows)
    expect("deeper", entered, entered + overflows)
total = int(re.search(r"^(\d+) calls", tree, re.M).group(1))
least = entered + 6 * overflows
if not least <= total <= least + overflows + 100:
    wrong.append(f"{total} calls, not {least} and at most {overflows + 100} more")
for what in ("in signal handlers", "not decodable"):
    if what in tree:
        wrong.append(what)
print("\n".join(wrong), file=sys.stderr)
sys.exit(bool(wrong))
