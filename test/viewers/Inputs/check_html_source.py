"""Looks at the source in pages of program.c's profile.

usage: check_html_source.py PAGE program.c | --none PAGE | --long PAGE
"""
import pathlib
import sys

from synthetic import expect, finish, open_page, read_data

uri = lambda page: pathlib.Path(page).resolve().as_uri()
if sys.argv[1] == "--none":
    expect("sources", read_data(sys.argv[2])[1]["sources"], [])
    with open_page(uri(sys.argv[2])) as browser:
        expect("the switch", browser.run("return document.getElementById('source-label').hidden"), True)
    finish("no source")
    sys.exit()
if sys.argv[1] == "--long":
    lines = [line for _, _, lines in read_data(sys.argv[2])[1]["sources"] for line in lines]
    expect("lines", len(lines) > 10, True)
    expect("the longest", max(map(len, lines)) <= 310, True)  # \xff and \x1b are letters to see
    with open_page(uri(sys.argv[2])) as browser:
        expect("it works", browser.run("return n"), 14)
        expect("messages", browser.log(), [])
    finish("long lines are cut")
    sys.exit()

page, source = sys.argv[1:]
text = pathlib.Path(source).read_text().expandtabs().split("\n")
data = read_data(page)[1]
for file, first, lines in data["sources"]:
    expect("file", file, source)
    expect(f"lines from {first}", lines, text[first - 1:first - 1 + len(lines)])
places = {data["sites"][site][1] for site in data["site"] if site >= 0} | {frame[3] for frame in data["frames"] if frame[4] == "function"}
held = {first + i for _, first, lines in data["sources"] for i in range(len(lines))}
expect("all places of hot contexts are there", places - held, set())
expect("no file stands twice", len({first for _, first, _ in data["sources"]}), len(data["sources"]))
SHOWN = """return [...document.querySelectorAll("#source section")].map(it => [it.querySelector("h3").textContent, it.querySelector(".here").textContent, it.querySelector(".here").value]);"""
with open_page(uri(page)) as browser:
    browser.run("select([...frame].findIndex(at => frameName(at) === 'outer'))")
    expect("outer", browser.run(SHOWN), [["called at program.c:56", text[55], 56], ["defined at program.c:32", text[31], 32]])
    browser.run("select([...frame].findIndex(at => frameName(at) === 'recurse'))")
    expect("its call", "recurse" in browser.run(SHOWN)[0][1], True)
    browser.type("4")
    browser.type("ArrowDown")
    expect("a function", browser.run(SHOWN)[-1][0].startswith("defined at program.c:"), True)
    browser.screenshot(pathlib.Path(page).with_suffix(".png"))
    browser.type("s")
    expect("closed", browser.run("return document.getElementById('source').hidden"), True)
    expect("messages", browser.log(), [])
finish("the source is there")
