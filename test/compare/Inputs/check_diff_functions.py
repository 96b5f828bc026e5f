"""The page of a difference has of each function what --view=flat has: its calls on both sides, and whether these changed for certain. With a
filter the page has what its contexts have.

usage: check_diff_functions.py PAGE FLAT.json
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "viewers" / "Inputs"))
from browser import Browser
from synthetic import expect, finish

page, flat = (pathlib.Path(path) for path in sys.argv[1:])
LINES = """return functionSums().list.map(it => [data.frames[frameOfFunction[it.function]], it]).filter(([frame]) => isFunction(frame))
  .map(([frame, it]) => [linkageName(frame) + ' ' + base(frame[2]), it.a, it.b, it.hot ? 1 : 0])"""
wanted = {row["linkage"] + " " + row["file"].split("/")[-1]: (row["count_a"], row["count_b"], int(row["beyond"])) for row in json.loads(flat.read_text(encoding="utf-8"))["functions"]}
changes = [b - a for a, b, _ in wanted.values()]
with Browser(page.resolve().as_uri(), size=(1300, 800)) as browser:
    browser.settle()
    browser.run("choice.fold = ''; update()")
    found = {function: tuple(row) for function, *row in browser.run(LINES)}
    for function, row in wanted.items():
        expect(function, found.get(function), row)
    for function, row in found.items():
        expect(function + " has not changed", function in wanted or (row[0] == row[1] and not row[2]), True)
    more, fewer = sum(it > 0 for it in changes), sum(it < 0 for it in changes)
    expect("the verdict", browser.text("#top-functions-sum"), f"{more:,} function{'s' if more != 1 else ''} with more, {fewer:,} with fewer")
    largest = sorted((abs(it) for it in changes if it), reverse=True)[:5]
    bars = browser.run("return [...document.querySelectorAll('#top-functions li .share')].map(it => it.textContent)")
    expect("largest changes", [abs(int(text.replace("−", "-").replace(",", ""))) for text in bars], largest)
    browser.run("choice.focus = '.'; update()")
    expect("nothing beside contexts", browser.run("return allEvicted"), 0)
    expect("messages", browser.log(), [])
finish(f"the page has {len(found)} functions, of which {len(wanted)} changed")
