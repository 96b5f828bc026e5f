"""Presses keys while controls of the page have the focus.

usage: check_html_keys.py PAGE
"""
import pathlib
import sys

from synthetic import expect, finish, open_page

with open_page(pathlib.Path(sys.argv[1]).resolve().as_uri()) as browser:
    focused = lambda: browser.run("return document.activeElement.id")
    selected = lambda: browser.text("#selected").split("\n")[0]
    browser.click("#tab-tree")
    browser.click("#flat-switch")  # the checkbox "without hierarchy": it has the focus now
    expect("the checkbox has the focus", focused(), "flat-switch")
    browser.type("ArrowDown")
    expect("an arrow key goes to the first line", selected(), browser.text("#rows [role=row] .chip").replace("* ", ""))
    browser.type("/")
    expect("/ goes to the search", focused(), "search")
    browser.type("tn?")
    expect("letters are letters there", browser.run("return document.getElementById('search').value"), "tn?")
    browser.type("Escape")
    browser.click("#flat-switch")
    browser.type("t")
    expect("t goes to the flame graph", browser.run("return document.getElementById('flame').hidden"), False)
    browser.click("#theme")
    expect("a button has the focus", focused(), "theme")
    before = selected()
    browser.type("ArrowUp")
    expect("an arrow key works behind a button", selected() != before, True)
    for number, view in enumerate(("flame", "tree", "callers", "flat", "peek"), 1):
        browser.type(str(number))
        expect(f"key {number}", browser.run("return document.querySelector('[role=tab][aria-selected=true]').id"), f"tab-{view}")
    browser.type("f")
    expect("f goes to the filters", focused(), "filter-focus")
    browser.type("leaf")
    expect("letters of a filter", browser.run("return choice.focus"), "leaf")
    browser.run("const it = document.getElementById('colour'); it.focus(); it.value = 'share'; it.dispatchEvent(new Event('change'));")
    browser.type("1")
    expect("a key behind a list of choices", browser.run("return choice.view"), "flame")
    browser.type("?")
    expect("? tells the keys", browser.run("return document.getElementById('help').open"), True)
    expect("messages", browser.log(), [])
finish("keys work")
