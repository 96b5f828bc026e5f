"""Holds the curve of a heap profile against the trace of curve.c, and massif's snapshots if there are any.

usage: check_curve.py TRACE PROFILE.JSON PAGE.HTML [MASSIF.OUT]
"""
import json
import re
import sys

trace = [tuple(map(int, line.split())) for line in open(sys.argv[1])]
with open(sys.argv[2], encoding="utf-8") as file:
    profile = json.load(file)
page = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', open(sys.argv[3], encoding="utf-8").read(), re.S)[1])
curve = profile["heap"]["curve"]


def check(what, condition):
    if not condition:
        sys.exit(f"wrong: {what}")


# Each point is a change, and tells the most since the one before. If there are few changes, each is a point.
at, before, seconds = 0, 0, 0
for allocated, live, most, when in curve:
    first = at
    while trace[at][:2] != (allocated, live):
        at += 1
    check(f"the most up to {allocated}", most == max([before] + [row[1] for row in trace[first:at + 1]]))
    check(f"the time at {allocated}", when >= seconds)
    before, seconds = live, when
check("the last point is the end", at == len(trace) - 1)
check(f"{len(curve)} points", len(curve) in (len(trace), len(trace) + 1) if len(trace) < 512 else 100 < len(curve) <= 512)
peak = max(row[1] for row in trace)
check("the peak", max(point[2] for point in curve) == profile["heap"]["peak"] == peak)

# What each function had at the points that tell it, and at the peak.
paths = []
for parent, frame in zip(page["parent"], page["frame"]):
    paths.append((paths[parent] + ";" if parent >= 0 else "") + page["frames"][frame][0])
points = [point for point in page["curve"] if point[4]]
check("the page's curve", [point[:3] for point in page["curve"]] == [point[:3] for point in curve])
check(f"{len(points)} points with contexts", len(points) in (range(0, 9) if len(trace) < 512 else range(4, 9)))
for allocated, live, value in [(None, peak, "peak")] + [(point[0], point[1], point[4]) for point in points]:
    row = next(row for row in trace if row[1] == live and allocated in (None, row[0]))
    had = {path: count for path, count in zip(paths, page[f"value {value}"]) if count}
    check(f"contexts at {allocated or 'the peak'}", had == {f"main;{name};[malloc]": count for name, count in zip(("first", "second", "third"), row[2:]) if count})

# massif's time is what was allocated and freed, and some bytes where its allocator rounds a size up.
if len(sys.argv) > 4:
    moved = [(2 * allocated - live, live) for allocated, live, *_ in curve]
    peaks = 0
    snapshots = open(sys.argv[4]).read().split("#-----------\nsnapshot=")[1:]
    for snapshot in snapshots:
        field = dict(re.findall(r"^(\w+)=(\w+)$", snapshot, re.M))
        if int(field["time"]):
            check(f"massif at {field['time']}", any(live == int(field["mem_heap_B"]) and 0 <= int(field["time"]) - at < 1000 for at, live in moved))
        if field["heap_tree"] == "peak":
            peaks += 1
            check("massif's peak", int(field["mem_heap_B"]) == peak)
            had = {name: int(count) for count, name in re.findall(r"^ n\d+: (\d+) 0x\w+: (\w+) ", snapshot, re.M)}
            row = next(row for row in trace if row[1] == peak)
            check("massif's contexts at the peak", had == dict(zip(("first", "second", "third"), row[2:])))
    check("massif's snapshots", peaks == 1 and len(snapshots) > 50)
print(len(curve), "points are those of the program")
