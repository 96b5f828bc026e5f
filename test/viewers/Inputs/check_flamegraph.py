"""Opens the flame graph of program.c's profile in a browser: widths by the counts that were worked out by hand.

usage: check_flamegraph.py SVG FOLDER     (the screenshot goes to FOLDER)
"""
import pathlib
import sys

from browser import Browser

# Frames by function, and the calls in them and below.
WANTED = {"main": [19], "outer": [9], "middle": [6], "leaf": [6, 2, 1], "[qsort]": [3], "compare": [3], "recurse": [6, 5, 4, 3, 2]}
with Browser(pathlib.Path(sys.argv[1]).resolve().as_uri(), size=(1300, 800)) as browser:
    browser.settle()
    boxes = browser.run("""return [...document.querySelectorAll("g")].filter(group => group.querySelector(":scope > title")).map(group => {
        const box = group.querySelector("rect").getBoundingClientRect();
        const seen = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        return [group.querySelector("title").textContent.split("\\n")[0], box.width, group.contains(seen)];
    })""")
    browser.screenshot(pathlib.Path(sys.argv[2]) / "flamegraph.png")
    assert browser.log() == [], browser.log()
    assert browser.run("return document.querySelector('parsererror')") is None
whole = max(width for _, width, _ in boxes)
found = {}
for name, width, is_on_top in boxes:
    assert is_on_top, f"{name} is covered"
    found.setdefault(name, []).append(round(19 * width / whole))
found = {name: sorted(widths, reverse=True) for name, widths in found.items()}
if found != WANTED:
    sys.exit(f"{found} instead of {WANTED}")
print(f"{len(boxes)} boxes are drawn")
