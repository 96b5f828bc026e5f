"""Puts 50,000 nodes into a page and measures what it takes to draw them: nothing may take longer than a reader notices.

usage: check_html_size.py PAGE NEW-PAGE
"""
import json
import pathlib
import random
import re
import statistics
import sys

from browser import Browser

NODES, SLOW_MS = 50000, 50
random.seed(1)
page = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
head, body, tail = re.search(r'(.*<script type="application/json" id="data">)(.*?)(</script>.*)', page, re.S).groups()
data = json.loads(body)

# A random tree, depth first, up to 60 deep.
parents, stack = [], []
for i in range(NODES):
    while stack and (len(stack) > 60 or random.random() < 0.5):
        stack.pop()
    if not stack and i:
        stack = [0]
    parents.append(stack[-1] if stack else -1)
    stack.append(i)
data["frames"] = [[f"function_{i}", f"function_{i}", f"/src/file{i % 50}.c", i, "function"] for i in range(2000)]
data["sites"] = [[f"/src/file{i % 50}.c", i, 3, 1] for i in range(5000)]
data["parent"] = parents
data["frame"] = [random.randrange(2000) for _ in parents]
data["site"] = [random.randrange(5000) for _ in parents]
data["count"] = [int(random.paretovariate(0.8)) for _ in parents]
data["error"] = [random.randrange(5) for _ in parents]
data["hot"] = [int(count > 100) for count in data["count"]]
data["calls"] = sum(data["count"])
if "diff" in data:
    data["before"] = [random.choice([-1, count, count + random.randrange(9)]) for count in data["count"]]
    data["change"] = [count - max(before, 0) for count, before in zip(data["count"], data["before"])]
    data["bounds"] = [[max(before, 0), max(before, 0), count, count] for count, before in zip(data["count"], data["before"])]
    data["match"] = [random.randrange(4) for _ in parents]
    data["was"] = {str(i): [parents[i - 1], f"old_{i}"] for i, match in enumerate(data["match"]) if match == 1}
pathlib.Path(sys.argv[2]).write_text(head + json.dumps(data) + tail, encoding="utf-8")

TIME = """const began = performance.now(); %s
return performance.now() - began;"""
with Browser(pathlib.Path(sys.argv[2]).resolve().as_uri() + "#measure", size=(1600, 1000)) as browser:
    browser.settle()
    assert browser.run("return n") == NODES
    for i in range(0, NODES, 2500):
        browser.run(f"flame.zoomTo({i})")
        browser.settle()
        browser.run("flame.zoomTo(-1)")
        browser.settle()
    browser.screenshot(sys.argv[2] + ".png")
    drawn = browser.run("return performance.getEntriesByName('hcct-draw').map(it => it.duration)")
    searched = [browser.run(TIME % f"find('function_{i}')") for i in range(9)]
    browser.run("find('')")
    browser.click("#tab-tree")
    browser.run("tree.setFlat(true)")
    listed = [browser.run(TIME % "tree.rebuild()") for i in range(9)]
    browser.settle()
    browser.screenshot(sys.argv[2] + ".tree.png")
    scrolled = [browser.run(TIME % f"document.getElementById('grid').scrollTop = {i * 9000}") for i in range(9)]
    browser.settle()
    heads = browser.run("return document.getElementById('heads').getBoundingClientRect().top - document.getElementById('grid').getBoundingClientRect().top")
    assert abs(heads) < 2, f"the titles of the columns are {heads} pixels off"
    browser.run("tree.setFlat(false); for (const i of [20000, 30000, 40000]) tree.reveal(i)")
    browser.settle()
    names = browser.run("return [...document.querySelectorAll('#rows .name')].map(it => it.clientWidth - parseFloat(it.style.paddingLeft))")
    assert len(names) > 10 and min(names) > 150, f"a name is left {min(names)} pixels"
    browser.screenshot(sys.argv[2] + ".deep.png")
    assert browser.log() == []
slow = False
for what, times in {"draw": drawn, "search": searched, "list": listed, "scroll": scrolled}.items():
    print(f"{what}: {len(times)} times, median {statistics.median(times):.1f} ms, worst {max(times):.1f} ms")
    slow |= statistics.median(times) > SLOW_MS
sys.exit("too slow" if slow or len(drawn) < 40 else 0)
