"""The cells of strips, on pages of sums of runs of strip.c: run I calls `all` 7 times, and `even` or `odd` 100 + I times.

usage: check_html_strip.py FOLDER   (ranks.html: runs 0 to 3; turned.html: 3 to 0; many.html: 0 to 99; mixed.html: 0 and 1 without strips, 2, and the first two again; heap.html: blocks.c with 10 and 30)
"""
import pathlib
import sys

from browser import Browser

folder = pathlib.Path(sys.argv[1])
wrong = 0


def expect(what, found, wanted):
    global wrong
    if found != wanted:
        wrong += 1
        print(f"{what}: {found!r} instead of {wanted!r}")


CELLS = "[...it.children].map(cell => [cell.title, cell.className === 'unknown' ? null : +(+getComputedStyle(cell).opacity).toFixed(3), cell.getBoundingClientRect().width >= 1])"


def strips(browser):
    """By function: title, opacity, and whether it is seen, of each cell."""
    browser.settle()
    browser.click("#tab-tree")
    browser.settle()
    return browser.run("return Object.fromEntries([...document.querySelectorAll('#rows [role=row]')].map(row => [row.firstChild.textContent.replace(/[^a-z]/g, ''), row.querySelector('.strip')])"
                       f".map(([name, it]) => [name, it && {CELLS}]))")


def cells(word, first, counts):
    """Counts in the order of the profiles, each its cell."""
    return [[f"{word} {first + i}: {count:,}", round(count / max(counts), 3), True] for i, count in enumerate(counts)]


def page(name):
    return (folder / (name + ".html")).resolve().as_uri()


EVEN, ODD = [100, 0, 102, 0], [0, 101, 0, 103]
with Browser("about:blank") as browser:
    browser.open(page("ranks"))
    found = strips(browser)
    expect("ranks", found, {"main": cells("rank", 0, [1] * 4), "all": cells("rank", 0, [7] * 4), "even": cells("rank", 0, EVEN), "odd": cells("rank", 0, ODD)})
    expect("column", "Ranks" in browser.text("#heads"), True)
    # Under the flame graph, beside what is said of the selected context.
    browser.click("#tab-flame")
    browser.run("select(data.frame.findIndex((_, i) => nameOf(i) === 'odd'))")
    expect("selected", browser.run(f"const it = document.querySelector('#selected .strip'); return {CELLS}"), cells("rank", 0, ODD))
    browser.screenshot(folder / "strip.png")
    browser.open(page("turned"))
    found = strips(browser)
    expect("turned", [found["even"], found["odd"]], [cells("profile", 1, EVEN[::-1]), cells("profile", 1, ODD[::-1])])
    browser.open(page("many"))
    found = strips(browser)
    wanted = []
    for i in range(0, 100, 2):
        each = (101 + i) / 2
        wanted.append([f"profiles {i + 1} to {i + 2}: {101 + i}, {int(each + 0.5)} each", round((101 + i) / 199, 3), True])
    expect("many", found["odd"], wanted)
    browser.open(page("mixed"))
    found = strips(browser)
    expect("mixed", found["even"], [["profiles 1 to 2: not known", None, True], ["profile 3: 102", 1, True], ["profiles 4 to 5: not known", None, True]])
    browser.open(page("heap"))
    strips(browser)
    found = browser.run(f"return [...document.querySelectorAll('#rows .strip')].map(it => {CELLS})")
    expect("heap", found, [cells("profile", 1, [1000, 3000]), cells("profile", 1, [500, 1500])])
    browser.run("choice.value = 'live'; update()")
    browser.settle()
    expect("live: strips are of what was allocated", browser.run("return [document.querySelectorAll('#rows .strip').length, document.querySelectorAll('#rows [role=row]').length > 1]"), [0, True])
print("the strips are right" if not wrong else "wrong")
sys.exit(bool(wrong))
