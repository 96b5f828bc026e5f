"""Chooses views, filters, contexts and more in the page of query.cpp's profile by pointer and keys, reloads it, and opens its address
elsewhere. Which lines of a tree are open is not in the address; the selected one is always in view.

usage: check_html_address.py PAGE NEW-PAGE
"""
import pathlib
import sys
import urllib.parse

from synthetic import expect, finish, make, open_page

STATE = """return [choice, document.getElementById("selected").textContent, document.querySelector("[role=tab][aria-selected=true]").id, flame.zoomed(), n, nameOf(0),
  [...document.querySelectorAll("[role=row]:not([aria-level]), [role=row][aria-selected=true]")].filter(it => it.checkVisibility()).map(it => it.textContent.replace(/[▾▸]/, "")), document.getElementById("kept").textContent, document.getElementById("peek-name").textContent,
  document.getElementById("legend").textContent, document.getElementById("path").textContent];"""


def value(browser, control, text):
    browser.run("const it = document.getElementById(arguments[0]); it.value = arguments[1]; it.dispatchEvent(new Event('input')); it.dispatchEvent(new Event('change'));", control, text)
    browser.settle()


def write(browser, text):
    browser.run("document.activeElement.blur()")
    for key in text:
        browser.type(key)


def same(browser, what, steps, wanted=()):
    """Takes steps in a new page, and compares what it shows with what a reload and its address elsewhere show."""
    browser.open(page)
    steps(browser)
    browser.settle()
    shown, address = browser.run(STATE), browser.run("return location.href")
    browser.ask("POST", "/refresh")
    browser.settle()
    expect(f"{what}: after a reload", browser.run(STATE), shown)
    for text in wanted:
        expect(f"{what}: {text} in the address", text in urllib.parse.unquote_plus(address), True)
    browser.open(address)
    browser.settle()
    expect(f"{what}: elsewhere", browser.run(STATE), shown)
    expect(f"{what}: messages", browser.log(), [])


def in_tree(browser):
    browser.click("#tab-tree")
    browser.run("document.getElementById('grid').focus()")
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowDown"):
        browser.type(key)
    browser.click("#heads > :nth-child(2) button")
    browser.click("#heads > :nth-child(2) button")


def filtered(browser):
    value(browser, "filter-focus", "walk")
    value(browser, "filter-hide", "find")
    value(browser, "names", "full")
    value(browser, "colour", "file")


def zoomed(browser):
    write(browser, "/")
    browser.type("even")
    browser.settle()
    browser.type("Enter")
    browser.type("Enter")
    browser.run("document.getElementById('canvas').focus()")
    browser.type("Enter")


def among_callers(browser):
    write(browser, "3")
    for key in ("ArrowDown", "ArrowRight", "ArrowDown", "ArrowRight", "ArrowDown"):
        browser.type(key)


def peeked(browser):
    write(browser, "5")
    value(browser, "function", "shop::even")
    browser.run("document.getElementById('peek-callees').focus()")
    browser.type("ArrowDown")
    browser.type("ArrowRight")


def listed(browser):
    browser.click("#tab-tree")
    browser.click("#flat-switch")
    browser.click("#fold")
    value(browser, "phi", "0.05")


def peeked_at_callers(browser):
    peeked(browser)
    browser.click("#peek-callers-heads > :nth-child(2) button")
    browser.click("#peek-callers-rows [role=row]:nth-child(2) .chip")
    browser.type("ArrowRight")
    browser.type("ArrowDown")


page_path, deep_path = sys.argv[1:]
page = pathlib.Path(page_path).resolve().as_uri()
with open_page(page) as browser:
    expect("nothing chosen", browser.run("return location.hash"), "")
    # The path as text: of the flame graph from the root, and the same from a line of callers.
    browser.run("navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); }; select(nodeAt('main;apply;[std];apply(std::vector<int, std::allocator<int> >&)::$_0::operator()(int) const') )")
    browser.run("select([...frame].findIndex(at => frameName(at) === 'leaf' ))")
    browser.run("document.activeElement.blur()")
    browser.type("c")
    expect("a copied path", browser.run("return copied === pathOf(selection.node).map(nameOf).join(';') && copied.endsWith('leaf') && copied.startsWith('main;')"), True)
    browser.run("showView('callers'); const line = callers.kids(callers.roots().find(it => lineName(it) === 'shop::odd'))[0]; callers.choose(line)")
    browser.type("c")
    expect("a path of callers", browser.run("return copied"), "shop::even;shop::odd")
    same(browser, "tree", in_tree, ["view=tree", "path=main;", "sort=", "metric=Calls"])
    same(browser, "filters", filtered, ["focus=walk", "hide=find", "names=full", "colour=file"])
    same(browser, "zoom", zoomed, ["search=even", "zoom=main;", "path=main;"])
    same(browser, "callers", among_callers, ["view=callers", "path="])
    same(browser, "peek", peeked, ["view=peek", "function=shop::even", "path="])
    same(browser, "callers in peek", peeked_at_callers, ["view=peek", "function=shop::even", "part=callers", "sort=own"])
    same(browser, "list", listed, ["view=tree", "list=1", "fold=&", "phi=0.05"])

    # A path of 60,000 frames: no view runs out of stack, and the address stays one that can be sent.
    deep = make(page_path, deep_path, [(i - 1, f"f{i % 3000}", 1 + i % 5) for i in range(60000)])
    browser.open(deep)
    for view in ("tree", "callers", "flat", "peek", "flame"):
        browser.run(f"showView('{view}'); select(n - 1)")
        browser.settle()
    expect("address of a long path", browser.run("writeAddress(); return location.hash"), "#path=%4059999&zoom=%4059999&metric=Calls")
    browser.ask("POST", "/refresh")
    browser.settle()
    expect("a long path after a reload", browser.run("return selection.node"), 59999)
    expect("messages", browser.log(), [])

    # An address that is edited changes the page; one of another profile, or with nonsense, is told or left out.
    browser.open(page + "#view=flat&focus=leaf&phi=x&colour=pink&path=nowhere&metric=Time")
    expect("view", browser.run("return [choice.view, choice.focus, choice.phi === data.phi, choice.colour, selection.node]"), ["flat", "leaf", True, "heat", -1])
    expect("metric", browser.text("#kept"), "The link is of a profile of time, this one is of calls.")
    browser.run("location.hash = '#view=tree&focus=walk'")
    browser.settle()
    expect("edited", browser.run("return [choice.view, choice.focus]"), ["tree", "walk"])
    expect("messages", browser.log(), [])
finish("the address says it")
