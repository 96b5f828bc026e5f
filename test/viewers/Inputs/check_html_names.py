"""Looks at the names in pages of query.cpp's profile that were made with --names.

usage: check_html_names.py PAGE-WITH-FULL-NAMES PAGE-WITH-LINKAGE-NAMES
"""
import pathlib
import sys

from synthetic import expect, finish, open_page

NAMES = {"short": "apply", "full": "apply(std::vector<int, std::allocator<int> >&)", "linkage": "_ZL5applyRSt6vectorIiSaIiEE"}
with open_page("about:blank") as browser:
    for page, first in zip(sys.argv[1:], ("full", "linkage")):
        browser.open(pathlib.Path(page).resolve().as_uri())
        expect("at first", browser.run("return document.getElementById('names').value"), first)
        for names, wanted in NAMES.items():
            browser.run("const it = document.getElementById('names'); it.value = arguments[0]; it.dispatchEvent(new Event('change'));", names)
            browser.settle()
            shown = browser.run("return [...new Set([...frame].map(frameName))]")
            expect(f"{first}: {names}", [wanted in shown, [name for name in NAMES.values() if name in shown]], [True, [wanted]])
            expect("the address", browser.run("writeAddress(); return location.hash.includes('names=')"), names != first)
        expect("messages", browser.log(), [])
finish("names are as they were asked for")
