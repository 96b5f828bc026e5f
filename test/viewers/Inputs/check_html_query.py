"""Asks the page of query.cpp's profile, and hcct-decode, for the same.

usage: check_html_query.py PAGE HCCT-DECODE PROFILE
"""
import collections
import json
import pathlib
import subprocess
import sys
import urllib.parse

from synthetic import expect, finish, open_page

page, decode, profile = sys.argv[1:4]
STD = "^(std|__gnu_cxx|__cxxabiv1)::"
QUERIES = [
    {}, {"fold": STD}, {"focus": "leaf"}, {"focus": "^leaf$"}, {"ignore": "walk"}, {"hide": "walk"}, {"root": "walk"}, {"root": "parse"},
    {"hide": "main"}, {"hide": "^std::", "focus": "operator"}, {"focus": "nothing of that name"}, {"ignore": "main"},
    {"focus": "Tree<int>::"}, {"focus": "less"}, {"ignore": "less<"}, {"focus": "parse\\(int"}, {"hide": "_ZN4shop"}, {"root": "^_ZN4shop3odd"},
    {"focus": "[[:upper:]]ree"}, {"focus": "\\<odd\\>|[]]"}, {"ignore": "^[^:]*$"}, {"hide": "(od|eve)[dn]"}, {"focus": "o{2}|ar?se"}, {"hide": "[\\.d]d$"},
    {"focus": "walk", "fold": STD}, {"focus": "operator", "hide": "sort", "fold": STD}, {"root": "apply", "fold": STD},
    {"ignore": "by", "focus": "even", "root": "even", "hide": "odd"}, {"root": "^std::", "ignore": "find", "fold": STD}, {"hide": "main|apply", "fold": STD, "root": "shop|leaf"},
]
TREE = """location.hash = arguments[0]; restore();
return [parent, frame, count, hot].map(it => [...it]).concat([data.frames.map(it => it[4] === "other" ? "[other]" : shortName(it)), total, found.through]);"""
LINES = """const all = (lines, path) => lines.flatMap(it => it.frame < 0 ? [] :
  [[[...path, shortName(data.frames[it.frame])].join(";"), it.own, it.total], ...(it.children && path.length < 9 ? all(it.children(), [...path, shortName(data.frames[it.frame])]) : [])]);"""


def asked(query, *more):
    options = [f"--{key}={value}" for key, value in query.items()] + list(more)
    return json.loads(subprocess.run([decode, "--all", "--format=json", "--names=short", *options, profile], capture_output=True, check=True).stdout)


def tree(parents, names, counts):
    """The count of each path of names."""
    paths, sums = [], collections.Counter()
    for parent, name, count in zip(parents, names, counts):
        paths.append((paths[parent] + ";" if parent >= 0 else "") + name)
        sums[paths[-1]] += max(count or 0, 0)
    return +sums


def address(query, **more):
    return "#" + urllib.parse.urlencode({"fold": "", **query, **more})


with open_page(pathlib.Path(page).resolve().as_uri()) as browser:
    calls = browser.run("return data.calls")
    # What stands there at first: short names, the full one on demand, and libraries folded, by a switch.
    shown = lambda: browser.run("return [...new Set([...frame].map(frameName))]")
    expect("[std] at first", ["[std]" in shown(), any(name.startswith("std::") for name in shown())], [True, False])
    expect("short names at first", "apply" in shown(), True)
    browser.run("select([...frame].findIndex(at => frameName(at) === 'apply'))")
    expect("the full name", "\nfull name apply(std::vector<int, std::allocator<int> >&)\n" in browser.text("#selected"), True)
    browser.click("#fold")
    expect("no [std]", ["[std]" in shown(), "std::for_each<…>" in shown()], [False, True])
    browser.click("#fold")
    for query in QUERIES:
        wanted = asked(query)
        parents, frames, counts, heat, names, total, _ = browser.run(TREE, address(query))
        names = [names[frame] for frame in frames]
        shown = tree(parents, names, counts)
        names_of = [wanted["frames"][node["frame"]]["function"] for node in wanted["nodes"]]
        other = shown.pop("[other]", 0) + sum(shown.pop(path) for path in list(shown) if path.startswith("[other];"))  # calls that no context has
        column = lambda key: [node[key] for node in wanted["nodes"]]
        expect(f"{query}", shown, tree(column("parent"), names_of, column("count")))
        expect(f"{query}: hot", tree(parents, names, heat).keys(), tree(column("parent"), names_of, column("hot")).keys())
        expect(f"{query}: all of it", [total, other], [calls, wanted["other"]])
        expect(f"{query}: valid", browser.run("return document.querySelectorAll('#filters [aria-invalid=true]').length"), 0)

        # Callers out of the focus stand in the table of hcct-decode, without a count; the page does not have them.
        cuts = query.keys() & {"focus", "ignore", "root"}
        sums = lambda row: [row["count"], row["error"], row["total"]] + [row["callers"]] * (not cuts)
        wanted = {row["linkage"] or row["function"]: sums(row) for row in asked(query, "--view=flat")["rows"] if row["count"] or row["total"]}
        found = browser.run("""return functionSums().list.map(it => [data.frames[frameOfFunction[it.function]], it]).map(([frame, it]) =>
  [frame[1] || frame[0], it.own, it.error, it.total, it.callers.size]);""")
        row_other = wanted.pop("[other]", [0])
        flat = {name.strip("[]"): sums[:3 if cuts else 4] for name, *sums in found if name != "[other]"}
        expect(f"{query}: flat", flat, {name.strip("[]"): sums for name, sums in wanted.items()})
        expect(f"{query}: other", other - sum(browser.run("return [...evicted]")), row_other[0])

    # Searching for a pattern sums up what a focus on it leaves.
    for pattern in ("leaf", "walk", "Tree<int>::", "even|odd", "main", "_ZN4shop"):
        nodes = asked({"focus": pattern})
        kept = sum((node["count"] or 0) - node["error"] for node in nodes["nodes"] if nodes["frames"][node["frame"]]["kind"] != "other")
        through = browser.run(TREE, address({}, search=f"/{pattern}/"))[-1]
        own = browser.run("return [...evicted].reduce((sum, it, i) => sum + (found.node[i] ? it : 0), 0)")
        expect(f"search {pattern}", through, kept + own)

    # One function: callers and callees of the first level; recursion counts once. All callers, by function.
    browser.run(TREE, address({}))
    for function in (name for name in ("shop::Tree<int>::find(int const&)", "shop::even", "shop::odd", "leaf", "main", "apply") if browser.run("return !!findFunction(arguments[0])", name)):
        rows = asked({}, "--view=peek", function)["rows"]
        for section, lines in (("callers", "callersOf"), ("callees", "calleesOf")):
            wanted = {row["linkage"]: [row["count"], row["total"]] for row in rows if row["section"] == section and not row["function"].startswith("(no caller")}
            found = browser.run(f"const it = {lines}(findFunction(arguments[0])); return (it.children ? it.children() : []).filter(it => it.frame >= 0 && data.frames[it.frame][4] !== 'other')"
                                ".map(it => [data.frames[it.frame][1], it.own, it.total])", function)
            expect(f"{function}: {section}", {name: sums for name, *sums in found}, wanted)
    upside_down = asked({}, "--view=callers", "--by=function")
    amounts = [(node["count"] or 0) - node["error"] for node in upside_down["nodes"]]
    for i in range(len(amounts) - 1, 0, -1):
        if upside_down["nodes"][i]["parent"] >= 0:
            amounts[upside_down["nodes"][i]["parent"]] += amounts[i]
    names = [upside_down["frames"][node["frame"]]["function"] for node in upside_down["nodes"]]
    wanted = {path: amount for path, amount in tree([node["parent"] for node in upside_down["nodes"]], names, amounts).items() if path.count(";") <= 9 and not path.startswith("[other]")}
    found = collections.Counter()
    for path, own, _ in browser.run(LINES + "return all(callerRoots(), []);"):
        if path.endswith(";[other]"):  # calls that no context has; json tells contexts only
            found[path.split(";")[0]] -= own
        else:
            found[path] += own
    found.pop("[other]", 0)
    for path in sorted(wanted.keys() | (+found).keys()):
        expect(f"callers {path}", found[path], wanted.get(path, 0))

    # A text that is no pattern is told, and nothing changes.
    browser.run(TREE, address({"focus": "leaf"}))
    browser.run("choice.focus = '(leaf'; update()")
    expect("no pattern", browser.run("return [document.getElementById('filter-focus').getAttribute('aria-invalid'), document.getElementById('kept').textContent.slice(0, 20)]"),
           ["true", "focus: not a pattern"])
    expect("messages", browser.log(), [])
finish("the page says what hcct-decode says")
