"""Why the HTML page draws by itself: 50,000 contexts in the page of hcct-decode and in d3-flame-graph, a library that draws flame
graphs, both in headless Chromium.

The contexts are those of test/viewers/Inputs/check_html_size.py. A time is that from the request to the second frame behind
it, which is what a reader waits; half of it or so is Chromium's own pace (the row "nothing"). Medians of all repetitions. Packages
are pinned; none is part of hcct.

    python3 bench/viewer.py            needs a build, npm, chromium and chromedriver
"""
import hashlib
import json
import pathlib
import re
import statistics
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[1]
INPUTS = TOP / "test" / "viewers" / "Inputs"
BUILD = TOP / "build" / "bench" / "viewer"
sys.path.insert(0, str(INPUTS))
from browser import Browser

PACKAGES = {
    "d3-7.9.0": "7e36605710a2ba54846797c8c6d888911341b215ae53257dc32a49a0b824355e",
    "d3-flame-graph-5.0.0": "f12f7540b6e6e787277908d70b7169da7ced5be8737bcff2bd27f3fe4b9961c9",
}
SIZE, REPETITIONS = (1600, 1000), 5
TIMED = """const done = arguments[0], began = performance.now();
%s;
requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(performance.now() - began))));"""


def fetch():
    for name, digest in PACKAGES.items():
        archive = BUILD / f"{name}.tgz"
        if not archive.exists():
            package, version = name.rsplit("-", 1)
            subprocess.run(["npm", "pack", "--silent", f"{package}@{version}"], cwd=BUILD, check=True, stdout=subprocess.DEVNULL)
        if hashlib.sha256(archive.read_bytes()).hexdigest() != digest:
            sys.exit(f"{archive} is not the one that was pinned")
        (BUILD / name).mkdir(exist_ok=True)
        subprocess.run(["tar", "-xzf", archive, "-C", BUILD / name, "--strip-components=1"], check=True)


def our_page():
    subprocess.run(["sh", INPUTS / "profile.sh", TOP / "build/bin/hcct-cc", BUILD / "p.bin"], check=True)
    subprocess.run([TOP / "build/bin/hcct-decode", "--format=html", "-o", BUILD / "small.html", BUILD / "p.bin"], check=True)
    subprocess.run([sys.executable, INPUTS / "check_html_size.py", BUILD / "small.html", BUILD / "ours.html"], check=False, stdout=subprocess.DEVNULL)
    return BUILD / "ours.html"


def library_page(ours, least):
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', ours.read_text(encoding="utf-8"), re.S)[1])
    nodes = [{"name": data["frames"][frame][0], "value": count, "children": []} for frame, count in zip(data["frame"], data["count"])]
    for i in range(len(nodes) - 1, 0, -1):
        nodes[data["parent"][i]]["value"] += nodes[i]["value"]
        nodes[data["parent"][i]]["children"].append(nodes[i])
    page = BUILD / f"library-{least}.html"
    page.write_text(f"""<!DOCTYPE html><meta charset="utf-8"><link rel="stylesheet" href="d3-flame-graph-5.0.0/dist/d3-flamegraph.css"><div id="chart"></div>
<script src="d3-7.9.0/dist/d3.min.js"></script><script src="d3-flame-graph-5.0.0/dist/d3-flamegraph.umd.min.js"></script>
<script>const data = {json.dumps(nodes[0])};
const chart = flamegraph.default().width({SIZE[0] - 40}).transitionDuration(0).minFrameSize({least}).inverted(true);
const nodes = () => d3.select("#chart").datum().descendants();
</script>""", encoding="utf-8")
    return page


def measure(page, first, zoom, out, search):
    """{what: median in ms}, and the elements of the page when all is shown."""
    with Browser(page.resolve().as_uri(), size=SIZE) as browser:
        browser.settle()
        time = lambda action: browser.ask("POST", "/execute/async", {"script": TIMED % action, "args": []})
        times = {"nothing": [time("") for _ in range(REPETITIONS)], "first": [time(first)]}
        elements = browser.run("return document.querySelectorAll('*').length")
        for number in range(REPETITIONS):
            times.setdefault("zoom in", []).append(time(zoom.format(1000 + 7000 * number)))
            times.setdefault("zoom out", []).append(time(out))
            times.setdefault("search", []).append(time(search.format(number)))
        return {what: statistics.median(each) for what, each in times.items()}, elements


def main():
    BUILD.mkdir(parents=True, exist_ok=True)
    fetch()
    ours = our_page()
    results = {"hcct's page": measure(ours, "flame.show()", "flame.zoomTo({})", "flame.zoomTo(-1)", "find('function_{}'); flame.redraw()")}
    for least in (0, 1):
        title = "d3-flame-graph" + (", boxes of a pixel and more" if least else "")
        results[title] = measure(library_page(ours, least), "d3.select('#chart').datum(data).call(chart)",
                                 "chart.zoomTo(nodes()[{}])", "chart.resetZoom()", "chart.search('function_{}')")
    names = list(next(iter(results.values()))[0])
    print("| ms | " + " | ".join(names) + " | elements |\n|---|" + "---:|" * (len(names) + 1))
    for title, (times, elements) in results.items():
        print(f"| {title} | " + " | ".join(f"{times[name]:.0f}" for name in names) + f" | {elements} |")


main()
