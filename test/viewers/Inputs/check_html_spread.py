"""The page of a profile with threads: the tree's columns tell how they differ, sort by it, and so does the text of a context.

usage: check_html_spread.py PAGE FOLDER
"""
import pathlib
import sys

from browser import Browser
from synthetic import expect, finish


def rows(browser):
    return browser.run("return [...document.querySelectorAll('#rows [role=row]')].map(row => [...row.children].map(it => it.textContent.replace('* ', '').replace(/^[▾▸]/, '')))")


with Browser(pathlib.Path(sys.argv[1]).resolve().as_uri()) as browser:
    browser.settle()
    browser.click("#tab-tree")
    titles = browser.run("return [...document.querySelectorAll('#heads > *')].map(it => it.textContent.trim().replace(/ ?[▾▴▼▲]$/, ''))")
    at = {title: i for i, title in enumerate(titles)}
    of = {row[0]: row for row in rows(browser)}
    expect("worker", [of["worker"][at[title]] for title in ("Min", "Max", "Max/mean", "Max in")], ["1", "1", "1.00", ""])
    item = of["item"]
    expect("item", [item[at[title]] for title in ("Min", "Max", "Max/mean")], ["100", "1,000", "4.64"])
    expect("where", item[at["Max in"]].startswith("[thread worker "), True)
    # By the ratio: what one thread does and the others do not comes first.
    browser.click("#flat-switch")
    browser.click(f"#heads > :nth-child({at['Max/mean'] + 1}) button")
    expect("first by ratio", rows(browser)[0][0], "item")
    browser.run("select(data.frame.findIndex((_, i) => nameOf(i) === 'item' && count[i] > 1000))")
    text = browser.text("#selected")
    expect("text", "in one of 8 threads: at least 100 (" in text and "mean 215" in text and "at most 1,000 (" in text, True)
    browser.screenshot(pathlib.Path(sys.argv[2]) / "spread.png")
finish("the page works")
