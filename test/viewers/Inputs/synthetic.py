"""Pages of profiles that were made up: a page that hcct-decode wrote, with other data in it. And what tests of pages share."""
import json
import pathlib
import re
import sys

from browser import Browser

wrong = 0


def expect(what, found, wanted):
    global wrong
    if found != wanted:
        wrong += 1
        print(f"{what}: {found!r} instead of {wanted!r}")


def finish(text):
    if wrong:
        sys.exit(f"{wrong} wrong")
    print(text)


def read_data(page):
    """What stands in front of the data of a page, the data, what stands behind it."""
    text = pathlib.Path(page).read_text(encoding="utf-8")
    head, body, tail = re.search(r'(.*<script type="application/json" id="data">)(.*?)(</script>.*)', text, re.S).groups()
    return head, json.loads(body), tail


def make(template, new, nodes, **members):
    """Writes a page with the nodes [(parent, name, count)], depth first. A count that is -1 makes an inlined frame; those of 100 and
    more are hot."""
    head, data, tail = read_data(template)
    names = list(dict.fromkeys((name, count < 0) for _, name, count in nodes))
    data["frames"] = [[name, name, "/src/made_up.c", i + 1, "inlined" if inlined else "function"] for i, (name, inlined) in enumerate(names)]
    data["sites"] = [["/src/made_up.c", i + 1, 3, 1] for i in range(len(nodes))]
    data["parent"] = [parent for parent, _, _ in nodes]
    data["frame"] = [names.index((name, count < 0)) for _, name, count in nodes]
    data["site"] = [-1 if parent < 0 else i for i, (parent, _, _) in enumerate(nodes)]
    data["count"] = [count for _, _, count in nodes]
    data["error"] = [0] * len(nodes)
    data["hot"] = [int(count >= 100) for _, _, count in nodes]
    data["calls"] = sum(max(count, 0) for _, _, count in nodes)
    data.update(members)
    pathlib.Path(new).write_text(head + json.dumps(data) + tail, encoding="utf-8")
    return pathlib.Path(new).resolve().as_uri()


def open_page(page, **options):
    browser = Browser(page, **options)
    browser.settle()
    return browser


def lines(browser, grid="#rows"):
    """Of each line that is drawn: the name, and what the other columns say."""
    return browser.run("return [...document.querySelectorAll(arguments[0] + ' [role=row]')].map(row => "
                       "[row.querySelector('.chip').textContent.replace(/^[▲▼*]* /, ''), ...[...row.children].slice(1).map(it => it.textContent)])", grid)
