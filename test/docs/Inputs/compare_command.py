"""Compares what a command's --help says of its options with docs/options.md and its man page.

usage: compare_command.py SOURCE COMMAND HELP
"""
import os
import re
import sys

OPTION = r"(?<![\w-])--?[a-zA-Z][a-z-]*"


def read(*parts):
    with open(os.path.join(*parts), encoding="utf-8") as file:
        return file.read()


source, command, help_text = sys.argv[1], sys.argv[2], read(sys.argv[3])
options = set(re.findall(OPTION, "\n".join(re.findall(r"^  (-.*?)(?:  |$)", help_text, re.M))))
section = read(source, "docs", "options.md").split(f"\n## {command}\n")[1].split("\n## ")[0]
table = set(re.findall(OPTION, " ".join(line.split("|")[1] for line in section.splitlines() if line.startswith("| `"))))
page = read(source, "heights" if command == "hcct-heights" else "decoder", "commands", command + ".1").split(".SH OPTIONS")[1].split(".SH ")[0].replace("\\-", "-")
tags = [lines.split("\n")[0] for lines in page.split(".TP\n")[1:]]
manual = set(re.findall(OPTION, re.sub(r"\\f.", "", " ".join(tags))))
wrong = not options
for name, found in (("docs/options.md", table), (command + ".1", manual)):
    for option in sorted(options ^ found):
        wrong = True
        print(f"{command}: {option} is " + ("not in " if option in options else "not in the code, but in ") + name)
sys.exit(wrong)
