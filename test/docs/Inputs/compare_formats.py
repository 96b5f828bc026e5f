"""Compares the formats of the decoder's table with --help, the man page of hcct-decode and docs/options.md.

usage: compare_formats.py SOURCE HELP
"""
import os
import re
import sys


def read(*parts):
    with open(os.path.join(*parts), encoding="utf-8") as file:
        return file.read()


source, help_text = sys.argv[1], read(sys.argv[2])
table = {name.replace("_", "-") for name in re.findall(r"^HCCT_FORMAT\((\w+)\)$", read(source, "decoder", "report", "formats", "formats.def"), re.M)}
option = re.search(r"^  --format=FORMAT +(.*(?:\n {10,}.*)*)", help_text, re.M).group(1)
usage = set(re.findall(r"[a-z-]+", re.sub(r"for \w+:|\(default\)", "", option)))
page = read(source, "decoder", "commands", "hcct-decode.1").replace("\\-", "-")
page = page.split(".BI --format= FORMAT\n")[1].split(".TP\n")[0]
manual = set(re.findall(r"^\.B ([a-z-]{2,})$", page, re.M))
row = next(line for line in read(source, "docs", "options.md").splitlines() if line.startswith("| `--format=FORMAT` |"))
document = set(re.findall(r"`([a-z-]+)`", row.split(" Of hcct-compare:")[0]))
wrong = not table
for place, found in (("hcct-decode --help", usage), ("hcct-decode.1", manual), ("docs/options.md", document)):
    for name in sorted(table ^ found):
        wrong = True
        print(f"{name} is " + (f"not in {place}" if name in table else f"in {place}, but not in the table"))
sys.exit(wrong)
