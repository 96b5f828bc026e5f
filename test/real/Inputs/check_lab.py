"""Checks accuracy.md of scripts/lab --quick in the folder that is given."""
import os
import re
import sys
import xml.etree.ElementTree

folder = sys.argv[1]
with open(os.path.join(folder, "accuracy.md"), encoding="utf-8") as file:
    document = file.read()


def rows(title):
    """The cells of the table in the section or subsection with that title."""
    section = re.split(r"^##", document.split(title, 1)[1], flags=re.MULTILINE)[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")][1:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


expected = {"## Programs": 2, "## Sizes": 2, "## Nodes of the HCCT": 2, "## Skew": 2, "## Space": 2, "## Every metric": 12, "### Hot edge coverage": 2,
            "### False positives against epsilon": 18, "## The encoding": 2, "## Stack height": 2}
for title, count in expected.items():
    table = rows(title)
    if title == "## The encoding":  # and the average
        programs, average = table[:-1], table.pop()
        means = [sum(float(row[i]) for row in programs) / len(programs) for i in range(2, 10)]
        assert average == ["**average**", "", *(f"{mean:.1f}" for mean in means)], average
    assert len(table) == count, (title, table)
    assert title == "## Programs" or all(all(row) for row in table), (title, table)

fib = {title: next(row for row in rows(title) if row[0] == "fib") for title in expected if "epsilon" not in title}
assert fib["## Sizes"][1:] == ["2", "2", "3", "1,974", "1,974"], fib
assert fib["## Skew"][1] == "10.03%", fib  # 198 of 1974
assert fib["## Nodes of the HCCT"][1:] == ["0", "1,974", "1,974", "1,974"], fib  # 1 call is less than 1e-3 of 1974, and more than 1e-5
assert fib["## Every metric"][2:] [:1] == ["100%"] and fib["## Every metric"][5:9] == ["1,973", "0", "0", "0"], fib  # main is a root, and counts nowhere
# The longest path is main and fib(15) down to fib(1), where all but the first of fib's calls push: 14, and an integer more.
assert fib["## The encoding"][1] == "1,974" and fib["## The encoding"][2] == "15" and fib["## The encoding"][5] == "16", fib
# In units of 16, main's id is 1, fib's is 2 and, by the other call, none, as all of fib's own calls push. 1,974 less main and the first call of fib push.
assert fib["## The encoding"][8] == "2" and fib["## The encoding"][9] == f"{100 * 1972 / 1974:.1f}", fib
# A path of functions is a depth. By call site 1, 1, 2, 4, ... and at last 2 contexts are at a depth: 2 are alone, 10 are five or fewer.
assert fib["## Stack height"][1:8] == ["16", "100%", "100%", "100%", "1,974", "0.1013%", "0.5066%"], fib

pictures = re.findall(r"\]\((accuracy/[a-z]+\.svg)\)", document)
assert len(pictures) == 8, pictures
for picture in pictures:
    root = xml.etree.ElementTree.parse(os.path.join(folder, picture)).getroot()
    assert root.tag.endswith("svg") and len(root) > 10, picture
# Of both programs Space Saving and its like reach every goal; only lossy counting's estimates may not
missed = re.findall(r"^  - (\w+) \(([^)]*)\)", document.split("## Goals", 1)[1].split("\n## ", 1)[0], re.MULTILINE)
assert all(algorithms in ("lossy-counting", "sticky-sampling") for _, algorithms in missed), missed
