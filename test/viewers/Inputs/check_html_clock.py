"""Checks in a browser that a page shows nanoseconds as seconds with six digits behind the point.

usage: check_html_clock.py PAGE
"""
import os
import sys

from browser import Browser

with Browser("file://" + os.path.abspath(sys.argv[1])) as page:
    found = page.run("return [amount(1500000), document.body.innerText];")
    assert found[0] == "0.001500 s", found[0]
    assert " ns" not in found[1], found[1]
