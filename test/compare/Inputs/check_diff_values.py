"""The page of the difference of two heaps has a difference for each value: that of --value --format=json, and the changes of values.c that are
worked out here. The reader chooses; the choice is in the address.

usage: check_diff_values.py PAGE HCCT-COMPARE A.bin B.bin FIRST-VALUE
"""
import json
import pathlib
import re
import subprocess
import sys
import time

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parents[1] / "viewers" / "Inputs"))
from synthetic import expect, finish, open_page

page, compare, *profiles, first = sys.argv[1:6]
ODD = '</script><b id="x">leak&amp,'
KEPT = {ODD: 100}
CHANGES = {"allocated": {"churn": 320}, "blocks": {"churn": 5, "split": 3}, "live": KEPT, "live-blocks": {ODD: 1}, "peak": KEPT,
           "peak-blocks": {ODD: 1}, "temporary": {"churn": 5}, "resized": {}}
CALLER = "at => at < 0 ? '' : frameOf(at)[4] === 'external' ? frameOf(parent[at])[0] : frameOf(at)[0]"
STATE = "return [data.value, choice.value, document.getElementById('value').value, document.getElementById('value-label').hidden]"


def asked(value, *more):
    return json.loads(subprocess.run([compare, "--format=json", f"--value={value}", *more, *profiles], capture_output=True, check=True).stdout)


def part_of(text, number):
    found = re.search(rf'<script type="application/json" id="data{number}">(.*?)</script>', text, re.S)
    return found and found[1]


def check_parts(text):
    listed = json.loads(part_of(text, ""))["diff"]["values"]
    expect("the list", [it["name"] for it in listed], list(CHANGES))
    for at, it in enumerate(listed):
        wanted, part = asked(it["name"]), part_of(text, "" if it["name"] == first else f"-{at}")
        expect(f"{it['name']}: changed", it["changed"], wanted["changed"])
        expect(f"{it['name']}: is there", part is not None, it["changed"] > 0 or it["name"] == first)
        if not part:
            continue
        pathlib.Path("part.html").write_text(f'<script type="application/json" id="data">{part}</script>', encoding="utf-8")
        pathlib.Path("part.json").write_text(json.dumps(wanted), encoding="utf-8")
        told = subprocess.run([sys.executable, here / "check_diff_html.py", "part.html", "part.json"], capture_output=True, text=True)
        expect(f"{it['name']}: its object", [told.returncode, told.stdout], [0, "the page is right\n"])
    expect("objects", len(re.findall(r'id="data-', text)), sum(it["changed"] > 0 and it["name"] != first for it in listed))


def wait_for(browser, value):
    """The page is loaded again."""
    state = None
    for _ in range(200):
        try:
            state = browser.run(STATE)
        except RuntimeError:
            pass
        if state and state[0] == value:
            break
        time.sleep(0.05)
    expect(f"{value}: chosen", state, [value, value, value, False])


def choose(browser, value):
    browser.run("const list = document.getElementById('value'); list.value = arguments[0]; list.dispatchEvent(new Event('change'));", value)
    wait_for(browser, value)


def check_shown(browser, value, *query):
    wanted = asked(value, *query)
    roots = "return [belowA, belowB].map(it => it.reduce((sum, own, i) => parent[i] < 0 ? sum + own : sum, 0))"
    sums = [sum(max(node[key] or 0, 0) for node in wanted["nodes"] if node["function"] != "[other]") for key in ("count_a", "count_b")]
    expect(f"{value} {query}: A and B", browser.run(roots), sums)
    changes = browser.run(f"return [...change].map((own, i) => [({CALLER})(i), own])")
    found = {}
    for name, own in changes:
        found[name] = found.get(name, 0) + own
    keeps = lambda name: not query or name == "churn"
    expect(f"{value} {query}: changes", {name: own for name, own in found.items() if own}, {name: own for name, own in CHANGES[value].items() if keeps(name)})
    if not query:
        one, other = (f"{wanted[key]:,}" for key in ("calls_a", "calls_b"))
        expect(f"{value}: the heading", re.search(r": A ([\d,]+) (\w+), B ([\d,]+);", browser.text("#summary")).groups(), (one, wanted["unit"], other))


def check_browser():
    with open_page(pathlib.Path(page).resolve().as_uri()) as browser:
        expect("at first", browser.run(STATE), [first, first, first, False])
        options = browser.run("return [...document.getElementById('value').options].map(it => [it.value, it.disabled])")
        expect("options", options, [[value, not changes] for value, changes in CHANGES.items()])
        for value in ("live", "blocks", "peak-blocks", "temporary", first):
            choose(browser, value)
            check_shown(browser, value)
        expect("hostile names", browser.run("return document.getElementById('x')"), None)
        # View, order, filter and the selected context stay.
        choose(browser, "blocks")
        browser.run("showView('tree'); tree.setSort('name'); choice.focus = 'churn'; update(); select([...frame].findIndex(at => frameName(at) === 'churn'))")
        for value in ("allocated", "blocks", "temporary"):
            choose(browser, value)
            check_shown(browser, value, "--focus=churn")
            expect(f"{value}: what stays", browser.run("return [choice.view, tree.sort(), choice.focus, nameOf(selection.node)]"), ["tree", "name", "churn", "churn"])
        browser.run("search(); writeAddress()")
        address = browser.run("return location.href")
        expect("the address", "value=temporary" in address, True)
        browser.run("location.hash = '#value=live'")
        wait_for(browser, "live")
        browser.run("location.hash = '#value=resized'")  # nothing changed: the page has no such part
        wait_for(browser, first)
        browser.open(address)
        expect("elsewhere", browser.run(STATE), ["temporary"] * 3 + [False])
        check_shown(browser, "temporary", "--focus=churn")
        expect("messages", browser.log(), [])


check_parts(pathlib.Path(page).read_text(encoding="utf-8"))
check_browser()
finish("each value has its difference")
