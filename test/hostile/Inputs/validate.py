"""Holds the formats of the profile of hostile names (profile.py) against readers that others wrote, and looks for what no terminal may get.

usage: validate.py HCCT-DECODE PROFILE FORMAT [PPROF]
"""
import csv
import html.parser
import io
import json
import os
import re
import subprocess
import sys
import unicodedata
import xml.dom.minidom

sys.path.insert(0, os.path.dirname(__file__))
from profile import NAMES  # noqa: E402 (ours, not Python's)

decode, profile, kind = sys.argv[1:4]
COUNTS = {1: b"main", **{10 + i: name for i, name in enumerate(NAMES)}}


def check(condition, *what):
    if not condition:
        sys.exit(" ".join(map(str, (kind, *what)))[:2000])


def run(*command, **options):
    done = subprocess.run(command, check=False, capture_output=True, **options)
    check(done.returncode == 0 and not done.stderr, command, done.stderr)
    return done.stdout


def shown(name):
    """What is left of a name when all that is hidden, or no UTF-8, is taken out: in this order it is in what a format shows."""
    return "".join(c for c in name.decode("utf-8", "ignore") if not is_hidden(c))


def is_hidden(character):
    return (unicodedata.category(character) in ("Cc", "Zl", "Zp", "Cn") or character in "\u200e\u200f\u061c" or
            unicodedata.bidirectional(character) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"))


def holds(text, name):
    """The visible characters of a name, in order; what stands for hidden ones may be in between."""
    at = 0
    for character in shown(name):
        at = text.find(character, at) + 1
        if not at:
            return False
    return True


def check_names(found):
    """found: by count."""
    check(sorted(found) == sorted(COUNTS), "counts", sorted(found))
    for count, name in COUNTS.items():
        check(holds(found[count], name), "name", name[:100], "as", found[count][:100])


def check_clean(text, kept="\n"):
    bad = {hex(ord(c)) for c in text if is_hidden(c) and c not in kept}
    check(not bad, "hidden characters", bad)


def of_json(text):
    data = json.loads(text)
    found = {node["count"]: data["frames"][node["frame"]]["linkage"] for node in data["nodes"]}
    check_names(found)
    for count, name in COUNTS.items():
        check(re.sub("\ufffd+", "\ufffd", found[count]) == re.sub("\ufffd+", "\ufffd", name.decode("utf-8", "replace")), "not the name", name)


def of_csv(text):
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    check({len(row) for row in rows[1:]} == {len(rows[1])}, "rows differ in length")
    check_names({int(row["calls"]): row["function"] for row in (dict(zip(rows[1], row)) for row in rows[2:])})


def of_folded(text):
    found = {}
    for line in text.removesuffix("\n").split("\n"):
        path, count = line.rsplit(" ", 1)
        found[int(count)] = re.split(r"(?<!\\);", path)[-1]
    check_names(found)


def of_tree(text):
    found = {}
    for line in text.split("context\n")[1].splitlines():
        match = re.match(r"\* +\S+% +\S+% +(\d+)  (?:[|`]- )?(.*)", line) or re.match(r"\* +\S+% +\S+% +(\d+)  \W{0,3}(.*)", line)
        found[int(match[1])] = match[2]
    check_names(found)


def of_source(text):
    for count, name in COUNTS.items():
        check(count == 1 or any(holds(line, name) for line in re.findall(rf"^.*% +{count}  (.*)$", text, re.M)), "name", name[:100])


def of_svg(text):
    titles = [node.firstChild.data for node in xml.dom.minidom.parseString(text).getElementsByTagName("title")]
    check_names({int(match[1]): title for title in titles if (match := re.search(r"^(\d+) calls? \(", title, re.M))})


def of_dot(text):
    svg = run("dot", "-Tsvg", input=text.encode()).decode()
    check_clean(svg)
    found = {}
    for group in xml.dom.minidom.parseString(svg).getElementsByTagName("g"):
        lines = [node.firstChild.data.replace("\xa0", " ") for node in group.getElementsByTagName("text") if node.firstChild]
        if group.getAttribute("class") == "node":
            found[int(re.match(r"\d+", lines[1])[0])] = lines[0]
    found[39] = found[39].replace("…", "long" * 25000)
    check_names(found)


def of_callgrind(text):
    with open(profile + ".callgrind", "w", encoding="utf-8") as file:
        file.write(text)
    listed = run("callgrind_annotate", "--threshold=100", "--auto=no", profile + ".callgrind").decode()
    check_clean(listed)
    check(f"{sum(COUNTS):,}" in listed, "total", listed)
    found = {}
    for line in listed.splitlines():
        if match := re.match(r" *([\d,]+) \([\d. ]+%\) +0 +(\S.*:.*)", line):
            found[int(match[1].replace(",", ""))] = match[2]
    check_names(found)


def of_pprof(_):
    with open(profile + ".pb.gz", "wb") as file:
        file.write(run(decode, "--all", "--format=pprof", profile))
    listed = run(sys.argv[4], "-raw", profile + ".pb.gz").decode()
    check_clean(listed)
    lines = dict(re.findall(r"^ +(\d+): 0x0 M=1 (.*)$", listed, re.M))
    check_names({int(count): lines[leaf] for count, leaf in re.findall(r"^ +(\d+) +0: (\d+)", listed, re.M)})


def of_llvm_sample(text):
    with open(profile + ".prof", "w", encoding="utf-8") as file:
        file.write(text)
    merged = run("llvm-profdata-19", "merge", "--sample", "--text", profile + ".prof", "-o", "-").decode()
    for count, name in COUNTS.items():  # what the format cannot hold is left out
        whole = re.fullmatch(rb"[!-9;-?A-Z\\^-~]+", name)
        check(not whole or count == 1 or f" @ {name.decode().split('.')[0]}]:{count}:{count}\n" in merged, "name", name[:100])


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.data, self.inside = [], "", False

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.inside = ("id", "data") in attrs

    def handle_data(self, data):
        self.data += data if self.inside else ""


def of_html(text):
    page = Page()
    page.feed(text)
    check(page.tags.count("script") == 2 and "img" not in page.tags, "scripts", page.tags)
    data = json.loads(page.data)
    check_clean("".join(frame[0] for frame in data["frames"]))
    check_names({count: data["frames"][frame][0] for count, frame in zip(data["count"], data["frame"])})


def of_speedscope(text):
    data = json.loads(text)
    check(len(data["shared"]["frames"]) == len(COUNTS), "frames")
    for name in COUNTS.values():
        check(any(holds(frame["name"], name) for frame in data["shared"]["frames"]), "name", name[:100])


READERS = {"json": of_json, "csv": of_csv, "folded": of_folded, "tree": of_tree, "source": of_source, "flamegraph": of_svg, "dot": of_dot,
           "callgrind": of_callgrind, "pprof": of_pprof, "llvm-sample": of_llvm_sample, "html": of_html,
           "speedscope": of_speedscope}
output = b"" if kind == "pprof" else run(decode, "--all", "--format=" + kind, profile)
output = output.decode("utf-8")  # an exception if it is none
check_clean(output, "\r\n\t" if kind in ("csv", "html") else "\n")
READERS[kind](output)
