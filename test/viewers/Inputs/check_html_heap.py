"""Asks the page of a heap profile, and hcct-decode, for each of its values.

usage: check_html_heap.py PAGE HCCT-DECODE PROFILE FIRST-VALUE
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

from synthetic import expect, finish, open_page

page, decode, profile, first = sys.argv[1:5]
VALUES = ["allocated", "blocks", "live", "live-blocks", "peak", "peak-blocks", "temporary", "resized"]
CHOOSE = "const it = document.getElementById('value'); it.value = arguments[0]; it.dispatchEvent(new Event('change'));"
NAME = "at => data.frames[at][4] === 'other' ? '[other]' : shortName(data.frames[at])"


def asked(value, *more):
    command = [decode, "--all", "--format=json", "--names=short", f"--value={value}", *more, profile]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


def paths(parents, names, counts):
    """The count of each path of names."""
    made, sums = [], collections.Counter()
    for parent, name, count in zip(parents, names, counts):
        made.append((made[parent] + ";" if parent >= 0 else "") + name)
        sums[made[-1]] += max(count or 0, 0)
    return dict(+sums)


def added(rows):
    """The sums of each name; names are short ones, which two functions may share."""
    sums = {}
    for name, *numbers in rows:
        if name != "[other]":
            sums[name] = [a + b for a, b in zip(sums.get(name, [0] * len(numbers)), numbers)]
    return {name: numbers for name, numbers in sums.items() if any(numbers)}


def check(browser, value, *query):
    wanted = asked(value, *query)
    parents, names, counts, total = browser.run(f"return [[...parent], [...frame].map({NAME}), [...count], total]")
    shown = paths(parents, names, counts)
    other = shown.pop("[other]", 0)
    names = [wanted["frames"][node["frame"]]["function"] for node in wanted["nodes"]]
    expect(f"{value} {query}: tree", shown, paths([node["parent"] for node in wanted["nodes"]], names, [node["count"] and node["count"] - node["error"] for node in wanted["nodes"]]))
    expect(f"{value} {query}: all of it", [total, sum(shown.values()) + other], [wanted["calls"], wanted["calls"]])
    rows = added([[row["function"], row["count"], row["total"]] for row in asked(value, "--view=flat", *query)["rows"]])
    flat = browser.run(f"return flat.kids(null).map(it => [({NAME})(it.frame), it.own, it.total])")
    expect(f"{value} {query}: flat", added(flat), rows)
    callers = browser.run(f"return callers.kids(null).map(it => [({NAME})(it.frame), it.own])")
    expect(f"{value} {query}: callers", added(callers), {name: sums[:1] for name, sums in rows.items() if sums[0]})


with open_page(pathlib.Path(page).resolve().as_uri()) as browser:
    expect("the first value", browser.run("return [choice.value, document.getElementById('value').value]"), [first, first])
    for value in VALUES + VALUES[:2]:
        browser.run(CHOOSE, value)
        check(browser, value)
        summary = browser.run("return document.getElementById('summary').textContent")
        expect(f"{value}: the heading", summary.split(" ")[0].replace(",", ""), str(asked(value)["calls"]))
    # A filter and the selected context stay, a link has the value.
    browser.run("showView('tree'); select([...frame].findIndex(at => frameName(at) === 'allocate')); choice.focus = 'alloc'; update()")
    for value in ("temporary", "allocated", "blocks"):
        browser.run(CHOOSE, value)
        check(browser, value, "--focus=alloc")
        expect(f"{value}: selected", browser.run("return nameOf(selection.node)"), "allocate")
    address = browser.run("return addressText()")
    expect("address", ["value=blocks" in address, "focus=alloc" in address], [True, True])
    browser.run("location.hash = '#value=live-blocks'; restore()")
    check(browser, "live-blocks")
    browser.run("location.hash = '#value=none'; restore()")
    check(browser, first)
    # The heap over time: as high as the peak, and its buttons show what was live in which contexts.
    curve = asked("live")["heap"]["curve"]
    browser.click("#tab-curve")
    expect("curve", browser.run("return data.curve.map(it => it.slice(0, 3))"), [point[:3] for point in curve])
    expect("the highest", browser.text("#curve-most"), f"{max(point[2] for point in curve):,} bytes")
    for axis, last in ("time", f"{curve[-1][3]:.3f} s"), ("bytes", f"{curve[-1][0]:,} bytes allocated"):
        browser.run("const it = document.querySelector(`[name=axis][value=${arguments[0]}]`); it.click()", axis)
        expect(f"the end by {axis}", browser.text("#curve-last"), last)
    height = browser.run("return document.querySelector('#curve-chart .area').getBBox().height")
    expect("the area", round(height), 300)
    points = [["peak", max(point[2] for point in curve)]] + browser.run("return data.curve.filter(it => it[4]).map(it => [it[4], it[1]])")
    count = browser.run("return document.getElementById('curve-points').childElementCount")
    expect("points with contexts", count, len(points))
    for at, (value, live) in enumerate(points):
        browser.run("showView('curve'); document.getElementById('curve-points').children[arguments[0]].click()", at)
        wanted = added(browser.run(f"return data.frame.map((at, node) => [({NAME})(at), data[arguments[0]][node]])", f"value {value}"))
        expect(f"contexts at point {at}", added(browser.run(f"return flat.kids(null).filter(it => it.own).map(it => [({NAME})(it.frame), it.own])")), wanted)
        expect(f"the tree at point {at}", browser.run("return [choice.view, data.calls]"), ["tree", live])
    expect("messages", browser.log(), [])
finish("all values of the page are those of hcct-decode")
