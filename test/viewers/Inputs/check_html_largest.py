"""Searches, and lists contexts, where the first ones are not the largest.

usage: check_html_largest.py PAGE NEW-PAGE
"""
import sys

from synthetic import expect, finish, lines, make, open_page

# 0 main, 1 f with an inlined read_all that has one call below it, and the read_all that matters behind it.
NODES = [(-1, "main", 1), (0, "f", 2), (1, "read_all", -1), (2, "g", 1), (0, "h", 3), (4, "read_all", 900), (4, "read_all", 50)]
with open_page(make(sys.argv[1], sys.argv[2], NODES)) as browser:
    browser.type("/")
    browser.type("read_all")
    order = []
    for _ in range(4):
        browser.type("Enter")
        order.append(browser.run("return selection.node"))
    expect("matches in their order", order, [5, 6, 2, 5])
    browser.type("Escape")
    browser.click("#tab-tree")
    expect("the tree begins with", lines(browser)[0][:2], ["main", "1"])
    browser.click("#flat-switch")
    expect("the list", [line[:2] for line in lines(browser)], [["read_all", "900"], ["read_all", "50"], ["h", "3"], ["f", "2"], ["main", "1"], ["g", "1"]])
    browser.click("#flat-switch")
    expect("the tree again", lines(browser)[0][:2], ["main", "1"])
finish("the largest comes first")
