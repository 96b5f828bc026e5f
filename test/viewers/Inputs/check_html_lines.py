"""check_html_lines.py PAGE ROWS: the page's lines of work(), against ROWS of hcct-decode --view=peek=work --all --format=csv. The page counts what a library
did by its name, so it stands in a row of its own."""
import collections
import csv
import os
import pathlib
import sys

from synthetic import expect, finish, open_page

page, rows = sys.argv[1:]
uri = lambda page: pathlib.Path(page).resolve().as_uri()
expected = collections.Counter()
for row in csv.DictReader(open(rows)):
    if row["section"] == "lines" and row["line"]:
        expected[os.path.basename(row["file"]), int(row["line"])] += int(row["time"])
SUMS = "return linesOfChosen().map(it => [it.file, it.line, it.count]);"
SHOWN = """return [...document.querySelectorAll("#near-lines-rows li")].map(it => [it.querySelector(".name").textContent, it.querySelector(".share").textContent]);"""
EXCERPT = """return [...document.querySelectorAll("#source section")].slice(0, 1).map(it => [it.querySelector("h3").textContent, it.querySelector(".here").value])[0];"""


def sums(browser):
    found = collections.Counter()
    for file, line, count in browser.run(SUMS):
        found[os.path.basename(file), line] += count
    return found


with open_page(uri(page)) as browser:
    browser.run("const sum = functionSums().list.find(it => functionName(it.function) === 'work'); chooseFunction(sum.function)")
    expect("lines of the function, of both contexts", sums(browser), expected)
    (file, line), _ = max(expected.items(), key=lambda it: it[1])
    shown = browser.run(SHOWN)
    expect("the first row", shown[0][0].startswith(f"{file}:{line}"), True)
    expect("the hottest line's source", browser.run(EXCERPT), [f"{shown[0][1]} at {file}:{line}", line])
    browser.run("document.querySelectorAll('#near-lines-rows li button')[1].click()")
    expect("the second one's", browser.run(EXCERPT)[0], f"{shown[1][1]} at {shown[1][0].split()[0]}")
    browser.run("select([...frame].findIndex((at, i) => frameName(at) === 'work' && frameName(frame[parent[i]]) === 'other'))")
    expect("lines of one context", sums(browser), {key: count // 1000001 * 1000000 for key, count in expected.items()})
    browser.screenshot(pathlib.Path(page).with_suffix(".png"))
    expect("messages", browser.log(), [])
finish("the lines are there")
