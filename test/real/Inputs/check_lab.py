"""Checks tables.md of scripts/lab --quick in the folder that is given."""
import os
import re
import sys
import xml.etree.ElementTree

folder = sys.argv[1]
with open(os.path.join(folder, "tables.md"), encoding="utf-8") as file:
    document = file.read()


def rows(title):
    """The cells of the table in the section with that title."""
    section = re.split(r"^##", document.split(title, 1)[1], flags=re.MULTILINE)[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")][1:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


expected = {"## Programs": 2, "## Nodes of the HCCT": 2, "## Space": 2, "## Every algorithm": 16, "## False positives": 0, "## Bursts": 2, "## The encoding": 2}
for title, count in expected.items():
    table = rows(title)
    if title == "## The encoding":  # and the average
        programs, average = table[:-1], table.pop()
        means = [sum(float(row[i]) for row in programs) / len(programs) for i in range(2, 10)]
        assert average == ["**average**", "", *(f"{mean:.1f}" for mean in means)], average
    assert len(table) == count and all(all(row) for row in table[:1]), (title, table)

fib = {title: next(row for row in rows(title) if row[0] == "fib") for title in expected if "False" not in title}
assert fib["## Programs"][2:7] == ["2", "2", "3", "1,974", "1,974"], fib
assert fib["## Nodes of the HCCT"][1:] == ["0", "1,974", "1,974", "1,974", "10%"], fib  # 1 call is less than 1e-3 of 1974, and more than 1e-5; 198 of 1974
assert fib["## Every algorithm"][1:3] == ["space-saving", "100%"] and fib["## Every algorithm"][5:10] == ["1,973", "0", "0", "0%", "0"], fib  # main is a root, and counts nowhere
# The longest path is main and fib(15) down to fib(1), where all but the first of fib's calls push: 14, and an integer more.
assert fib["## The encoding"][1] == "1,974" and fib["## The encoding"][2] == "15" and fib["## The encoding"][5] == "16", fib
# In units of 16, main's id is 1, fib's is 2 and, by the other call, none, as all of fib's own calls push. 1,974 less main and the first call of fib push.
assert fib["## The encoding"][8] == "2" and fib["## The encoding"][9] == f"{100 * 1972 / 1974:.1f}", fib
# There is room for all contexts: but for the two that estimate, every count of every algorithm is exact.
exact = [row for row in rows("## Every algorithm") if not row[1].startswith(("lossy", "sticky"))]
assert len(exact) == 8 and all(row[7] == row[9] == row[10] == row[12] == "0" for row in exact), exact

pictures = re.findall(r"\]\(([a-z]+\.svg)\)", document)
assert len(pictures) == 4, pictures
for picture in pictures:
    root = xml.etree.ElementTree.parse(os.path.join(folder, picture)).getroot()
    assert root.tag.endswith("svg") and len(root) > 10, picture
