"""Reads a profile that hcct-decode wrote for a viewer, and prints it as folded stacks, sorted: "main;f COUNT", where
COUNT is the lower bound. It knows the formats by their own rules, and checks on the way what must hold within each.

usage: folded.py FORMAT FILE
"""
import collections
import csv
import html
import json
import re
import subprocess
import sys
import xml.etree.ElementTree

FACTS = ["program", "build", "runs", "mode", "algorithm", "guarantee", "recursion", "metric", "calls", "contexts", "phi", "epsilon", "dropped",
         "misplaced", "writer"]


def check(condition, *what):
    if not condition:
        sys.exit(" ".join(map(str, what)))


def check_facts(text):
    for key in FACTS:
        check(re.search(rf"\b{key}\W+\w", text), "not told:", key)


def error_of(text):
    match = re.search(r"at most (\d+) too high", text)
    return int(match[1]) if match else 0


def from_speedscope(path):
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    check(list(data["hcct"]) == FACTS, "facts:", data["hcct"])
    profile, = data["profiles"]
    frames, stack, at, lines = data["shared"]["frames"], [], 0, collections.Counter()
    for event in profile["events"]:
        check(event["at"] >= at, "time runs backwards:", event)
        lines[";".join(frames[frame]["name"] for frame in stack)] += event["at"] - at
        at = event["at"]
        if event["type"] == "O":
            stack.append(event["frame"])
        else:
            check(stack and stack.pop() == event["frame"], "closes what is not open:", event)
    check(not stack and at == profile["endValue"], "events do not end")
    return lines


def from_csv(path):
    lines, paths, below = collections.Counter(), {"": ""}, collections.Counter()
    with open(path, encoding="utf-8", newline="") as file:
        check_facts(next(csv.reader([file.readline()]))[0])
        rows = list(csv.DictReader(file))
    for number, row in enumerate(rows, 1):
        check(row["node"] == str(number) and None not in row.values() and None not in row, row)
        above = paths[row["parent"]]
        paths[row["node"]] = f"{above};{row['function']}" if above else row["function"]
        check(row["depth"] == str(paths[row["node"]].count(";")), "depth:", row)
        check((row["calls"] == "") == (row["error"] == ""), "calls or error:", row)
        lines[paths[row["node"]]] += int(row["calls"] or 0) - int(row["error"] or 0)
    for row in reversed(rows):
        below[row["node"]] += int(row["calls"] or 0) - int(row["error"] or 0)
        below[row["parent"]] += below[row["node"]]
        check(below[row["node"]] == int(row["inclusive"]), "inclusive:", row)
    return lines


def from_callgrind(path):
    """Own costs only: callgrind_annotate adds the others up."""
    lines, names, name, after_calls = collections.Counter(), {}, None, False
    with open(path, encoding="utf-8") as file:
        head, body = file.read().split("\nevents: Calls Error\n")
    check_facts(head)
    for line in body.splitlines():
        if match := re.match(r"c?fn=\((\d+)\)(?: (.*))?$", line):
            names.setdefault(match[1], match[2])
            if line.startswith("fn"):
                name = names[match[1]]
        elif re.match(r"\d+ ", line):
            if not after_calls:
                lines[";".join(reversed(name.split("'")))] += int(line.split()[1])
            after_calls = False
        elif line.startswith("calls="):
            after_calls = True
    return lines


def from_dot(path):
    """As graphviz understood it."""
    run = subprocess.run(["dot", "-Tjson0", path], check=True, capture_output=True, text=True)
    check(not run.stderr, run.stderr)
    graph = json.loads(run.stdout)
    check_facts(graph["label"].replace("\\l", "\n"))
    nodes = {node["_gvid"]: node for node in graph.get("objects", [])}
    above = {edge["head"]: edge["tail"] for edge in graph.get("edges", [])}
    check(len(above) == len(graph.get("edges", [])), "no tree")
    lines = collections.Counter()
    for number, node in nodes.items():
        path, at = [], number
        while at is not None:
            path.insert(0, html.unescape(nodes[at]["label"].split("\\n")[0]))  # json0 has entities as they were written
            at = above.get(at)
        if match := re.search(r"\\n(\d+) \(", node["label"]):
            lines[";".join(path)] += int(match[1]) - error_of(node["label"])
    return lines


def from_flamegraph(path):
    """By the geometry of the boxes: a box stands on the one below it."""
    svg = "{http://www.w3.org/2000/svg}"
    root = xml.etree.ElementTree.parse(path).getroot()
    check_facts(root.find(svg + "desc").text)
    boxes, lines = [], collections.Counter()
    for group in root.iter(svg + "g"):
        rect, title = group.find(svg + "rect"), group.find(svg + "title").text
        x, y, width = (float(rect.get(key)) for key in ("x", "y", "width"))
        check(x > 9.9 and x + width < 1190.1 and y > 0, "outside of the picture:", title)
        under = [box for box in boxes if box[1] > y and box[0] < x + width / 2 < box[0] + box[2]]
        path = [box[3] for box in sorted(under, key=lambda box: -box[1])] + [title.split("\n")[0]]
        check(len({box[1] for box in under}) == len(under), "boxes overlap:", title)
        boxes.append((x, y, width, path[-1]))
        if match := re.search(r"^(\d+) calls? \(", title, re.M):
            lines[";".join(path)] += int(match[1]) - error_of(title)
    return lines


def from_html(path):
    """The page's data; the browser's part is check_html.py's."""
    with open(path, encoding="utf-8") as file:
        data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', file.read(), re.S)[1])
    check(list(data["facts"]) == FACTS, "facts:", data["facts"])
    paths, lines = [], collections.Counter()
    for i, parent in enumerate(data["parent"]):
        check(parent < i, "parents come first:", i)
        paths.append((paths[parent] + ";" if parent >= 0 else "") + data["frames"][data["frame"][i]][0])
        lines[paths[i]] += max(data["count"][i] - data["error"][i], 0)
    check(len({len(data[key]) for key in ("parent", "frame", "site", "count", "error", "hot")}) == 1, "columns differ in length")
    return lines


readers = {name[len("from_"):]: function for name, function in globals().items() if name.startswith("from_")}
for line, count in sorted(readers[sys.argv[1]](sys.argv[2]).items()):
    if count:
        print(line, count)
