"""check_json.py DECODER FILE...: what --format=json promises of any profile, in every view: its keys, parents before their children,
and children of one parent that differ in frame or site."""
import json
import subprocess
import sys

KEYS = {"program", "version", "mode", "algorithm", "guarantee", "metric", "unit", "phi", "epsilon", "calls", "dropped", "frames", "nodes"}
FRAME = {"function", "linkage", "file", "line", "kind"}
SITE = {"file", "line", "column", "id"}
KINDS = {"function", "inlined", "external", "signal", "unknown"}


def check(view, profile):
    frames, known, total = profile["frames"], set(), 0
    assert KEYS <= set(profile), view
    for frame in frames:
        assert set(frame) == FRAME and frame["kind"] in KINDS, (view, frame)
    for number, node in enumerate(profile["nodes"]):
        site = node["site"]
        assert -1 <= node["parent"] < number, (view, node)
        assert site is None or set(site) == SITE, (view, site)
        kind = frames[node["frame"]]["kind"]
        assert kind == "function" or node["count"] is None, (view, node)
        assert not (kind == "inlined" and "--no-inlines" in view), (view, node)
        identity = (node["parent"], node["frame"], json.dumps(site))
        assert identity not in known, (view, frames[node["frame"]]["function"], site)
        known.add(identity)
        total += node["count"] or 0
    if "--all" in view and profile["mode"] == "cct":
        assert total + sum(profile["dropped"].values()) == profile["calls"], view


decoder, files = sys.argv[1], sys.argv[2:]
for file in files:
    for by in ("site", "line", "function"):
        for view in ([], ["--all"], ["--all", "--no-inlines"], ["--no-demangle"], ["--top=3"], ["--all", "--recursion=fold"]):
            command = [decoder, "--format=json", "--by=" + by, *view, file]
            check(command[1:], json.loads(subprocess.run(command, check=True, capture_output=True).stdout.decode("utf-8")))
