"""Puts 50,000 nodes into a page and presses keys in every view. No key may make elements for more than
the screen has room for, or a picture that looks at more than a fifth of the nodes. The times are printed: the
machine decides them, so nothing hangs on them.

usage: check_html_size.py PAGE NEW-PAGE
"""
import json
import pathlib
import random
import re
import statistics
import sys

from browser import Browser

NODES, SIZES = 50000, ((1440, 900), (390, 844))
ELEMENTS, STEPS = 2000, NODES // 5
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

KEYED = """const [key, done] = arguments, began = performance.now();
(document.activeElement || document.body).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
requestAnimationFrame(() => setTimeout(() => done([performance.now() - began, document.querySelectorAll("*").length, flame.steps()])));"""
TYPED = """const [id, text, done] = arguments, began = performance.now(), field = document.getElementById(id);
field.value = text;
if (id === "search") search(); else { choice[id.slice(7)] = text; update(); }
requestAnimationFrame(() => setTimeout(() => done([performance.now() - began, document.querySelectorAll("*").length, flame.steps()])));"""
times, cpu, wrong = {}, {}, 0


def note(what, result):
    """What a key took, and that it left a page of the screen's size, not of the profile's."""
    global wrong
    took, elements, steps = result
    times.setdefault(what, []).append(took)
    if elements > ELEMENTS or steps > STEPS:
        wrong += 1
        print(f"{what}: {elements} elements, {steps} nodes looked at")


def busy(browser):
    """The processor's time that the page has taken, in milliseconds."""
    metrics = browser.ask("POST", "/goog/cdp/execute", {"cmd": "Performance.getMetrics", "params": {}})["metrics"]
    return 1000 * next(it["value"] for it in metrics if it["name"] == "TaskDuration")


def act(browser, what, script, *arguments):
    before = busy(browser)
    note(what, browser.ask("POST", "/execute/async", {"script": script, "args": arguments}))
    cpu.setdefault(what, []).append(busy(browser) - before)


def key(browser, what, name):
    act(browser, what, KEYED, name)


def enter(browser, what, field, text):
    act(browser, what, TYPED, field, text)


for width, height in SIZES:
    with Browser("about:blank") as browser:
        browser.resize(width, height, mobile=width < 500)
        browser.ask("POST", "/goog/cdp/execute", {"cmd": "Performance.enable", "params": {"timeDomain": "threadTicks"}})
        browser.ask("POST", "/url", {"url": pathlib.Path(sys.argv[2]).resolve().as_uri()})
        browser.settle()
        assert browser.run("return n") == NODES
        painted = browser.run("return performance.getEntriesByName('first-contentful-paint')[0].startTime")
        times.setdefault(f"first paint, {width} pixels", []).append(painted)
        cpu.setdefault(f"first paint, {width} pixels", []).append(busy(browser))
        for view, number in (("flame graph", "1"), ("tree", "2"), ("callers", "3"), ("flat", "4"), ("peek", "5")):
            browser.run("document.body.focus()")
            key(browser, f"go to {view}", number)
            browser.settle()
            for name in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowDown", "ArrowUp", "ArrowLeft", "PageDown", "End", "Home"):
                key(browser, f"{view}: {name}", name)
            for i in range(3):
                enter(browser, f"{view}: search", "search", f"function_{i}7")
                key(browser, f"{view}: n", "n")
            enter(browser, f"{view}: end of the search", "search", "")
            browser.settle()
            browser.screenshot(f"{sys.argv[2]}.{number}.{width}.png")
        for view in ("flame graph", "tree"):
            key(browser, f"go to {view}", "1" if view == "flame graph" else "2")
            for text in ("function_1", "function_12", "function_123"):
                enter(browser, f"{view}: focus", "filter-focus", text)
            enter(browser, f"{view}: end of the focus", "filter-focus", "")
            enter(browser, f"{view}: hide", "filter-hide", "function_.*7$")
            enter(browser, f"{view}: end of hide", "filter-hide", "")
        browser.settle()

        # Deep in the tree, names have room, and titles stay above their columns.
        browser.run("showView('tree'); document.getElementById('grid').scrollTop = 9000")
        browser.settle()
        heads = browser.run("return document.getElementById('heads').getBoundingClientRect().top - document.getElementById('grid').getBoundingClientRect().top")
        assert abs(heads) < 2, f"the titles of the columns are {heads} pixels off"
        browser.run("for (const i of [20000, 30000, 40000]) tree.reveal(i)")
        browser.settle()
        names = browser.run("return [...document.querySelectorAll('#rows .name')].map(it => it.clientWidth - parseFloat(it.style.paddingLeft))")
        assert len(names) > 10 and min(names) > 150, f"a name is left {min(names)} pixels"
        assert browser.log() == []
for what, took in sorted(cpu.items(), key=lambda it: -max(it[1])):
    print(f"{what}: {len(took)} times, the processor's time {statistics.median(took):.1f} ms, worst {max(took):.1f} ms, "
          f"until it was drawn {statistics.median(times[what]):.1f} ms, worst {max(times[what]):.1f} ms")
sys.exit(f"{wrong} keys do more than the screen shows" if wrong else 0)
