"""The page of a difference says what --format=json says of it; and, given a folder, it works in a browser: of edited.c, what was
worked out by hand is there under the pointer and in the tree.

usage: check_diff_html.py PAGE DIFFERENCE.json [FOLDER]     (screenshots go to FOLDER)
"""
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "viewers" / "Inputs"))
from browser import Browser
from synthetic import expect, finish


def paths(parents, names):
    done = []
    for parent, name in zip(parents, names):
        done.append(("" if parent < 0 else done[parent] + ";") + name)
    return done


def site_text(site):
    return "" if site is None else f"{site['file']}:{site['line']}"


page = pathlib.Path(sys.argv[1])
data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text(encoding="utf-8"), re.S)[1])
wanted = json.loads(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"))
sites = ["" if site < 0 else "{}:{}".format(*data["sites"][site]) for site in data["site"]]
names = [f"{data['frames'][frame][0]}@{site}" for frame, site in zip(data["frame"], sites)]
kinds = ["both", "moved", "only_a", "only_b"]
minus = lambda count: -1 if count is None else count
nodes = wanted["nodes"]
wanted_names = [f"{node['function']}@{site_text(node['site'])}" for node in nodes]
wanted_paths = paths([node["parent"] for node in nodes], wanted_names)
# Calls of functions that no context has, below [other]: json has none. What they are, check_diff_functions.py looks at.
contexts = data["frame"][:next((i for i, frame in enumerate(data["frame"]) if data["frames"][frame][4] == "other"), None)]
found = sorted(zip(paths(data["parent"][:len(contexts)], names), data["before"], data["count"], data["change"], data["hot"], (kinds[kind] for kind in data["match"]),
                   (tuple(bounds or ()) for bounds in data["bounds"])))
expect("nodes", found, sorted((path, minus(node["count_a"]), minus(node["count_b"]), node.get("change", 0), int(node.get("beyond", False)), node["match"],
                               tuple(node[key] for key in ("low_a", "high_a", "low_b", "high_b") if key in node)) for path, node in zip(wanted_paths, nodes)))
at = {path: i for i, path in enumerate(paths(data["parent"], names))}
for path, node in zip(wanted_paths, nodes):
    if node["match"] == "moved":
        parent, name = data["was"][str(at[path])]
        expect(f"{path} was", (name, parent), (node["function_a"], -1 if node["parent_a"] < 0 else at[wanted_paths[node["parent_a"]]]))
expect("moved", len(data["was"]), sum(node["match"] == "moved" for node in nodes))
expect("calls", data["diff"]["calls"], [wanted["calls_a"], wanted["calls_b"]])
expect("changed", [data["diff"]["changed"], data["diff"]["beyond"]], [wanted["changed"], wanted["beyond"]])
expect("facts", [facts.get("calls") or facts["total"].split()[0] for facts in (data["diff"]["facts"], data["facts"])], [str(wanted["calls_a"]), str(wanted["calls_b"])])

if len(sys.argv) > 3:
    folder = pathlib.Path(sys.argv[3])
    with Browser(page.resolve().as_uri(), size=(1300, 800)) as browser:
        browser.settle()
        place = lambda name: browser.run("""const i = data.frame.findIndex((_, i) => nameOf(i) === arguments[0]), it = flame.place(i);
const canvas = document.getElementById("canvas").getBoundingClientRect();
return [canvas.x + it.x + it.width / 2, canvas.y + it.y + it.height / 2];""", name)
        rows = lambda: browser.run("return [...document.querySelectorAll('#rows [role=row]')].map(row => [...row.children].slice(0, 6).map(cell => cell.textContent.replace(/[▾▸]/, '')))")
        expect("summary", "A 172 calls, B 209; two builds: 11 contexts in both, 2 moved, 1 only in A, 2 only in B; 10 changed: 10 beyond" in browser.text("#summary"), True)
        # The largest changes stand first, beside the picture, and make its boxes wide.
        numbers = browser.run("return [...document.querySelectorAll('#summary b')].map(it => it.textContent)")
        expect("numbers", numbers[:3], ["+21.51%", "10", "10"])
        bars = lambda selector: browser.run("return [...document.querySelectorAll(arguments[0] + ' li')].map(it => it.querySelector('.share').textContent)", selector)
        of_functions, changes = {}, lambda node: node.get("change", 0)
        for node in nodes:
            of_functions[node["function"]] = of_functions.get(node["function"], 0) + changes(node)
        ranked = sorted((abs(change) for change in of_functions.values() if change), reverse=True)
        expect("functions", [abs(int(text.replace("−", "-"))) for text in bars("#top-functions")], ranked[:5])
        counted = [sum(change > 0 for change in of_functions.values()), sum(change < 0 for change in of_functions.values())]
        expect("how many", browser.text("#top-functions-sum"), f"{counted[0]} functions with more, {counted[1]} with fewer")
        ranked = sorted((abs(changes(node)) for node in nodes), reverse=True)
        expect("chains", [abs(int(text.replace("−", "-"))) for text in bars("#top-chains")], ranked[:3])
        counted = [sum(changes(node) > 0 for node in nodes), sum(changes(node) < 0 for node in nodes)]
        expect("how many", browser.text("#top-chains-sum"), f"{counted[0]} contexts with more, {counted[1]} with fewer")
        expect("widths", browser.run("const all = flame.place(0).width; return [...change].every((_, i) => Math.abs(flame.place(i).width / all - changes[i] / changes[0]) < 1e-6)"), True)
        expect("the order of siblings", browser.run("return [...parent].every((_, i) => end[i] >= n || parent[end[i]] !== parent[i] || changes[i] >= changes[end[i]])"), True)
        browser.screenshot(folder / "flame.png")
        browser.point(*place("parse"))
        expect("tip of parse", browser.text("#tip").split("\n")[:5],
               ["parse", "+2, beyond both error bounds", "A: 10, exact", "B: 12, exact", "moved; in A main;parse"])
        browser.point(*place("construct"), click=True)
        expect("construct", browser.text("#selected").split("\n")[4], "moved; in A main;parse;build")
        browser.type("Escape")
        browser.point(*place("setup"))
        expect("tip of setup", browser.text("#tip").split("\n")[:5], ["setup", "−1, beyond both error bounds", "A: 1, exact", "B: not monitored, exact", "only in A"])
        browser.click("#tab-tree")
        shown = rows()
        expect("first lines", shown[:3], [["main", "", "1", "1", "39", ""], ["▲* run", "+12", "", "12", "38", "only in B"], ["▲* parse", "+2", "10", "12", "26", "moved"]])
        browser.click("#flat-switch")
        expect("changes without hierarchy", len(rows()), 10)
        expect("the largest first", [row[1] for row in rows()], ["+12"] * 2 + ["+2"] * 7 + ["−1"])
        browser.screenshot(folder / "tree.png")
        # Filters and views of functions: hidden counts go to the callers, so both sides add up as before.
        SUMS = "return [[...belowA], [...belowB]].map(it => it.reduce((sum, own, i) => parent[i] < 0 ? sum + own : sum, 0))"
        FUNCTIONS = "return [sum = list => list.reduce((a, b) => a + b, 0)].flatMap(sum => [sum(functionSums().list.map(it => it.a)), sum(functionSums().list.map(it => it.b))])"
        everything = browser.run(SUMS)
        expect("both sides", everything, [172, 209])
        expect("functions", browser.run(FUNCTIONS), everything)
        browser.run("choice.hide = 'parse'; update()")
        expect("hidden", [browser.run("return functionSums().list.some(it => functionName(it.function) === 'parse')"), browser.run(SUMS), browser.run(FUNCTIONS)],
               [False, everything, everything])
        browser.run("choice.hide = ''; choice.focus = '^parse$'; update()")
        expect("focus", browser.run("return functionSums().list.filter(it => it.a || it.b).map(it => functionName(it.function)).includes('setup')"), False)
        browser.run("choice.focus = ''; choice.list = false; update(); showView('flat')")
        browser.settle()
        expect("parse in the table", [row[:4] for row in browser.run("return [...document.querySelectorAll('#flat-grid-rows [role=row]')].map(row => [...row.children].map(it => it.textContent))")
                                      if "parse" in row[0]], [["▲* parse", "+2", "10", "12"]])
        browser.click("#tab-tree")
        browser.click("#theme")
        browser.screenshot(folder / "dark.png")
        expect("fetched", browser.run("return performance.getEntriesByType('resource').length"), 0)
        expect("messages", browser.log(), [])
finish("the page is right")
