"""Uses the page of program.c's profile as a reader would: pointer, keys, search, both views, both colour schemes.

usage: check_html.py PAGE FOLDER     (screenshots go to FOLDER)
"""
import pathlib
import sys

from browser import Browser
from synthetic import expect, finish


def expect_in(what, wanted, text):
    expect(what, text if wanted not in text else wanted, wanted)


page, folder = pathlib.Path(sys.argv[1]).resolve().as_uri(), pathlib.Path(sys.argv[2])
PLACE = """const name = arguments[0], i = data.frame.findIndex((_, i) => nameOf(i) === name), it = flame.place(i);
const canvas = document.getElementById("canvas").getBoundingClientRect();
return [canvas.x + it.x, canvas.y + it.y, it.width, it.height, canvas.width];"""


def middle_of(browser, name):
    x, y, width, height, _ = browser.run(PLACE, name)
    return x + width / 2, y + height / 2


def rows(browser):
    return browser.run("return [...document.querySelectorAll('#rows [role=row]')].map(row => "
                       "[row.querySelector('.chip').textContent.replace('* ', ''), row.children[1].textContent, +row.getAttribute('aria-level')])")


with Browser(page) as browser:
    browser.settle()
    expect_in("title", "program", browser.run("return document.title"))
    expect_in("summary", "19 calls", browser.text("#summary"))
    expect_in("summary", "every count exact", browser.text("#summary"))
    expect_in("facts", "exact", browser.text("#facts"))
    browser.screenshot(folder / "flame.png")

    # The pointer: a box's facts; a click zooms.
    browser.point(*middle_of(browser, "outer"))
    tip = browser.text("#tip")
    expect_in("tip", "outer\n3 calls (15.79%), exact", tip)
    expect_in("tip", "9 with those below (47.37%)", tip)
    expect_in("tip", "program.c:32", tip)
    expect_in("tip", "program.c:56:", tip)
    x, y, width, height, canvas = browser.run(PLACE, "outer")
    expect("width of outer before", round(width / canvas * 19), 9)
    browser.point(x + width / 2, y + height / 2, click=True)
    x, y, width, height, canvas = browser.run(PLACE, "outer")
    expect("width of outer, zoomed", round(width), round(canvas))
    expect_in("selected", "outer\n3 calls", browser.text("#selected"))
    expect("path", browser.text("#path summary"), "Path (2 frames)")
    browser.screenshot(folder / "zoomed.png")

    # Keys: down to the hottest callee, up again, out.
    browser.run("document.getElementById('canvas').focus()")
    browser.type("ArrowDown")
    expect_in("below outer", "middle\nno count of its own: inlined", browser.text("#selected"))
    browser.type("ArrowUp")
    browser.type("ArrowUp")
    expect_in("two up", "main\n1 call (", browser.text("#selected"))
    browser.type("Escape")
    expect("zoom after Escape", browser.run("return flame.zoomed()"), -1)

    # Search by key, on to the next one.
    browser.type("/")
    browser.type("leaf")
    browser.settle()
    expect("found", browser.text("#matches"), "4 contexts, 9 calls (47.37%); 9 through them (47.37%)")
    browser.type("Enter")
    expect_in("first match", "leaf\n", browser.text("#selected"))
    browser.screenshot(folder / "search.png")
    browser.run("document.getElementById('search').value = ''; search()")

    # The tree: all open lines, closed and opened by keys, sorted, without hierarchy.
    browser.click("#tab-tree")
    before = rows(browser)
    expect("first line", before[0], ["main", "1", 1])
    expect("callees, hottest first", [row[0] for row in before if row[2] == 2], ["outer", "recurse", "[qsort]"])
    browser.click("#rows [role=row]:nth-child(2)")
    browser.run("document.getElementById('grid').focus()")
    browser.type("ArrowLeft")
    expect("outer closed", [row[0] for row in rows(browser)][:3], ["main", "outer", "recurse"])
    browser.type("ArrowRight")
    expect("outer open", [row[0] for row in rows(browser)][:3], ["main", "outer", "middle"])
    browser.click("#heads > :nth-child(1) button")
    expect("by name", [row[0] for row in rows(browser) if row[2] == 2], ["[qsort]", "outer", "recurse"])
    browser.click("#heads > :nth-child(2) button")
    browser.click("#flat-switch")
    expect("all contexts", sorted(int(row[1]) for row in rows(browser)), [1] * 8 + [2, 3, 3, 3])
    expect("hottest contexts", {row[0] for row in rows(browser)[:3]}, {"outer", "leaf"})
    browser.click("#flat-switch")
    browser.screenshot(folder / "tree.png")
    browser.click("#tab-flame")

    browser.click("#theme")
    expect("scheme", browser.run("return getComputedStyle(document.documentElement).colorScheme"), "dark")
    browser.screenshot(folder / "dark.png")
    expect("fetched", browser.run("return performance.getEntriesByType('resource').length"), 0)
    expect("messages", browser.log(), [])
finish("the page works")
