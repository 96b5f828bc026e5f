"""Checks what stands above a tree, and its bounds, by what --format=csv has of each context; the lines of a terminal by those of a file.

usage: check_verdict.py HCCT-DECODE PROFILE EXACT          prints how many lines of each kind there were; EXACT: of the same run
       check_verdict.py HCCT-DECODE PROFILE SCREEN WIDTH   of a terminal of that width
"""
import collections
import csv
import re
import subprocess
import sys

decode, profile = sys.argv[1:3]


def run(*options, of=profile):
    return subprocess.run([decode, *options, of], check=True, stdout=subprocess.PIPE, text=True).stdout


def rows(*options, of=profile):
    lines = run("--format=csv", *options, of=of).splitlines()
    return list(csv.DictReader(lines[next(i for i, line in enumerate(lines) if line.startswith("node,")):]))


def number(text):
    return int(text or 0)


def share(count, calls):
    value = 100 * count / calls
    return "<0.01%" if 0 < value < .005 else f"{value:.2f}%"


def low(row):
    return number(row["calls"]) - number(row["error"])


def tree_lines(text):
    lines = text.splitlines()
    title = next(i for i, line in enumerate(lines) if line.startswith("    total  "))
    return lines[title], lines[title + 1:]


def section(lines, title):
    """The lines with numbers below the title; the last one is of all of them."""
    start = lines.index(title) + 1
    return [line.split(None, 1) for line in lines[start:lines.index("", start)]]


def check_verdict(exact):
    lines = run().splitlines()
    true = collections.Counter()
    for row in rows("--all", of=exact):
        true[row["linkage"]] += number(row["calls"])
    calls = int(next(line for line in lines if " calls in " in line).split()[0])
    own = collections.Counter()
    for row in rows("--all"):
        if row["kind"] == "function":
            own[row["linkage"]] += low(row)
    own = +own
    if exact != profile:  # contexts have left: functions have their calls all the same
        assert sum(own.values()) < calls
        own = +true
    left = calls - sum(own.values())
    functions = sorted(own, key=lambda name: (-own[name], name))[:5]
    *told, total = section(lines, "functions with most calls of their own")
    assert [(line[0], line[1].split()[0], line[1].split()[-1]) for line in told] == \
        [(share(own[name], calls), str(own[name]), name) for name in functions], told
    for line, name in zip(told, functions):
        more = re.search(r" \+(\d+) ", line[1])
        assert number(more and more[1]) == left, (line, left)
        assert own[name] <= true[name] <= own[name] + left, (name, true[name])
    assert total == [share(sum(own[name] for name in functions), calls), f"of the calls in these {len(functions)} of {len(own)} functions"]
    shown = rows()
    contexts = sorted((row for row in shown if row["kind"] not in ("other", "[other]") and row["calls"]), key=lambda row: -low(row))[:3]
    *told, total = section(lines, "contexts with most calls")
    for line, row in zip(told, contexts):
        path, at = [], row
        while at:
            path.insert(0, at["function"])
            at = next((other for other in shown if other["node"] == at["parent"]), None)
        chain = re.sub(r"^\d+( [+-]\d+)? +", "", line[1]).rsplit("  ", 1)[0].split(" > ")
        assert line[0] == share(low(row), calls) and line[1].split()[0] == str(low(row)), (line, row)
        wanted = " > ".join(re.escape(name) if name not in ("…", "...") else "[^\n]*" for name in chain)
        assert re.fullmatch(wanted, " > ".join(path)), (chain, path)
    assert total[0] == share(sum(map(low, contexts)), calls), total
    title, tree = tree_lines(run())
    bounds = 0
    if "up to" in title:
        end = title.index("up to") + len("up to")
        for line, row in zip(tree, shown):
            inclusive, error = number(row["inclusive"]), number(row["inclusive_error"])
            wanted = share(inclusive + error, calls) if error > inclusive // 10 else ""
            assert line[end - 7:end].strip() == wanted, (line, row)
            bounds += bool(wanted)
    assert bounds == sum(number(row["inclusive_error"]) > number(row["inclusive"]) // 10 for row in shown)
    print(f"{len(functions)} functions, {len(contexts)} contexts, {bounds} bounds")


def parse(text):
    """(depth, names, whether it is hot) of each line of the tree."""
    title, lines = tree_lines(text)
    for line in lines:
        guides, name = re.match(r"((?:[│ ]  )*(?:[├└]─ )?)(.*)$", line[title.index("context"):]).groups()
        yield len(guides) // 3, re.sub("  [^ ]*$", "", name).split(" > "), line.startswith("*")


def check_screen(screen, width):
    with open(screen, encoding="utf-8") as file:
        text = file.read()
    lines = text.splitlines()
    wide = [line for line in lines[lines.index("functions with most calls of their own"):] if len(line) > width]
    assert not wide, wide
    plain = list(parse(run()))
    shown = list(parse(text))
    if width >= 500:  # nothing is cut
        assert [name for _, names, _ in plain for name in names] == [name for _, names, _ in shown for name in names]
    parents, children = [], collections.Counter()
    for i, (depth, *_) in enumerate(shown):
        parents[depth:] = [i]
        children[parents[depth - 1] if depth else None] += 1
    for i, (_, names, hot) in enumerate(shown):
        assert hot or children[i] != 1 or shown[i + 1][1] == ["[other]"], f"{names} and its only child have a line each"
    print(sum(len(names) > 1 for _, names, _ in shown), "joined")


if len(sys.argv) > 4:
    check_screen(sys.argv[3], int(sys.argv[4]))
else:
    check_verdict(sys.argv[3])
