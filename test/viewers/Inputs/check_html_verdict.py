"""The verdict of a page is what hcct-decode tells of the same file; and what else the first screen shows, and where.

usage: check_html_verdict.py PAGE HCCT-DECODE PROFILE exact | bounds
"""
import collections
import json
import pathlib
import subprocess
import sys

from synthetic import expect, finish, open_page

page, decode, profile, sure = sys.argv[1:5]
STD = "^(std|__gnu_cxx|__cxxabiv1)::"
BARS = """return [...document.querySelectorAll(arguments[0] + " li")].map(it => [...it.querySelectorAll(".name, .amount, .share")].map(cell => cell.textContent));"""
TITLES = "return [...document.querySelectorAll(arguments[0] + ' [role=columnheader]')].map(it => it.textContent.replace(/ [▾▴]$/, ''))"
IS_WHOLE = "return !data.frames.some(it => it[4] === 'other')"
BOX = "const it = document.getElementById(arguments[0]).getBoundingClientRect(); return [it.left, it.top, it.right, it.bottom].map(Math.round)"
UNNAMED = """return [...document.querySelectorAll("button, input, select, summary, [role=treegrid], [role=application], aside")].filter(it => it.checkVisibility() &&
  !(it.textContent.trim() || it.getAttribute("aria-label") || (it.labels && it.labels.length && it.labels[0].textContent.trim()))).map(it => it.outerHTML);"""


def asked(*options):
    return json.loads(subprocess.run([decode, "--format=json", "--names=short", *options, profile], capture_output=True, check=True).stdout)


def number(count):
    return f"{count:,}"


def share(count, calls):
    percent = 100 * count / calls
    return "<0.01%" if count and percent < 0.005 else f"{percent:.2f}%"




def bounded(count, error):
    return number(count) + (f" +{number(error)}" if error else "")


def check_functions(browser):
    flat = asked("--view=flat")
    rows = [row for row in flat["rows"] if row["function"] != "[other]"][:5]
    wanted = [[row["function"], bounded(row["count"], row["error"]), share(row["count"], flat["calls"])] for row in rows if row["count"]]
    expect("functions", browser.run(BARS, "#top-functions"), wanted)
    expect("their sum", browser.text("#top-functions-sum"), f"together {share(sum(row['count'] for row in rows), flat['calls'])} of the calls")


def check_chains(browser):
    """Copies that a compiler has made of a call are one here, as in the tree on a terminal. The page has hot contexts only, unless it has all."""
    tree, paths, sums, highs = asked("--all", "--recursion=keep", f"--fold={STD}"), [], collections.Counter(), collections.Counter()
    for node in tree["nodes"]:
        frame, site = tree["frames"][node["frame"]], node["site"] or {}
        path = (paths[node["parent"]] if node["parent"] >= 0 else ()) + ((frame["function"], site.get("file"), site.get("line"), site.get("column")),)
        paths.append(path)
        sums[path] += 0 if frame["kind"] == "other" else max((node["count"] or 0) - node["error"], 0)
        highs[path] += node["count"] or 0
    is_whole = browser.run(IS_WHOLE)
    best = [(path, count) for path, count in sums.most_common(3) if is_whole or highs[path] >= tree["phi"] * tree["calls"]]
    shown = browser.run(BARS, "#top-chains")
    expect("chains", [row[1] for row in shown], [share(count, tree["calls"]) for _, count in best])
    names = {path[-1][0].split("::")[-1] for path, _ in best}
    expect("their ends", {row[0].split(" › ")[-1].split("::")[-1] for row in shown} <= names, True)
    told = f"together {share(sum(count for _, count in best), tree['calls'])} of the calls" if best else f"no context has {100 * tree['phi']:g}% of the calls"
    expect("their sum", browser.text("#top-chains-sum"), told)


def check_columns(browser):
    """No column is empty; what an inclusive sum may lack is told where it is more than a tenth."""
    for view in ("tree", "flat", "callers"):
        browser.click(f"#tab-{view}")
        expect(f"{view}: Error", "Error" in browser.run(TITLES, f"#{view}"), sure != "exact")
    rows = {row["function"]: row for row in asked("--view=flat")["rows"] if row["function"] != "[other]"}
    text = lambda row: number(row["total"]) + (f" +{number(row['total_error'])}" if 10 * row["total_error"] > row["total"] else "")
    shown = dict(browser.run("return flat.kids(null).map(it => [lineName(it), sumText(it.total, it.totalError)])"))
    if sure == "bounds" and browser.run(IS_WHOLE):
        expect("inclusive sums", {name: shown[name] for name in rows}, {name: text(row) for name, row in rows.items()})
        expect("some have a bound", any(" +" in it for it in shown.values()), True)
    elif sure == "exact":
        expect("no bounds", any(" +" in it for it in shown.values()), False)
    browser.click("#tab-flame")


def check_service(browser):
    expect("roots", browser.run("return [...parent].map((it, i) => it < 0 ? nameOf(i) : '').filter(it => it)[0]"), "acme::shop::worker")
    expect("all of it", browser.run("return total === data.calls"), True)
    expect("in boxes", browser.run("return briefName(frame[0])"), "worker")
    expect("the tree below the flame graph", browser.run("return !document.getElementById('tree').hidden"), True)


def check_colours(browser):
    pale = browser.run("const hot = hotFunctions(); return [...frame].filter((at, i) => hot[functionOf[at]] && colours.styleOf(i) === 's0').map(frameName)")
    expect("hot functions in the colour of cold ones", pale, [])
    expect("as lines", browser.run("return flat.kids(null).filter(it => it.hot && colours.styleOfLine(it) === 's0').map(lineName)"), [])


def check_keys(browser):
    """Every part has a name, and the verdict works without a pointer."""
    expect("without a name", browser.run(UNNAMED), [])
    first = browser.run(BARS, "#top-functions")[0][0]
    browser.run("document.querySelector('#top-functions button').focus()")
    browser.type("Enter")
    expect("a function", browser.text("#selected").split("\n")[0], first)
    expect("its boxes", browser.run("return found.count > 0 && [...frame].every((at, i) => !found.node[i] || frameName(at) === arguments[0])", first), True)
    expect("its callers and callees", browser.run("return document.querySelectorAll('#near-callers li, #near-callees li').length > 0"), True)
    expect("without a name", browser.run(UNNAMED), [])
    for _ in range(2):
        browser.run("document.activeElement.blur()")
        browser.type("Escape")
    expect("back at the verdict", browser.run("return [document.getElementById('verdict').checkVisibility(), document.getElementById('chosen').checkVisibility()]"), [True, False])
    if not browser.run(BARS, "#top-chains"):
        return
    browser.run("document.querySelector('#top-chains button').focus()")
    browser.type("Enter")
    expect("a chain", browser.run("return share(low[selection.node])"), browser.run(BARS, "#top-chains")[0][1])


def check_places(browser):
    """A context is chosen. From 1,100 pixels on it stands at the side, else below; no width scrolls sideways."""
    browser.run("select(0)")
    for width, height in ((1440, 900), (1100, 800), (1099, 800), (390, 844)):
        browser.resize(width, height, mobile=width < 500)
        main, chosen = browser.run(BOX, "main"), browser.run(BOX, "chosen")
        expect(f"{width}: sideways", browser.run("return document.documentElement.scrollWidth > innerWidth"), False)
        expect(f"{width}: beside the views", [chosen[0] >= main[2], chosen[1] >= main[3]], [width >= 1100, width < 1100])
        browser.click("#close")
        main, verdict = browser.run(BOX, "main"), browser.run(BOX, "verdict")
        expect(f"{width}: the verdict", [verdict[0] >= main[2], verdict[3] <= main[1]], [width >= 1100, width < 1100])
        expect(f"{width}: its functions without scrolling", browser.run("return scrollY") + height > browser.run(BOX, "top-chains-sum")[3], True)
        expect(f"{width}: no blank half", main[3] - main[1] > height * 0.6 and (main[2] - main[0]) > width * 0.6, True)
        browser.run("select(0)")
        browser.settle()


with open_page(pathlib.Path(page).resolve().as_uri(), size=(1440, 900)) as browser:
    numbers = browser.run("return [...document.querySelectorAll('#summary b')].map(it => it.textContent)")
    calls = asked("--view=flat")["calls"]
    expect("four numbers", [len(numbers), numbers[0], numbers[2].startswith("±0" if sure == "exact" else "≤")], [4, number(calls), True])
    expect("when", numbers[3] != "not known", True)
    check_functions(browser)
    check_chains(browser)
    check_columns(browser)
    if sure == "exact":
        check_service(browser)
    check_colours(browser)
    check_keys(browser)
    check_places(browser)
    expect("messages", browser.log(), [])
finish("the verdict is right")
