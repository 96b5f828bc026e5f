"""Kinds of profiles x {a file, a sum, a phase, a filter, a difference} x formats: what each claims is held against what is true.

usage: matrix.py DECODE COMPARE FOLDER

The counts are made up here, so the truth is known, and the files are written by docs/format.md. What may be claimed stands in docs/comparing.md
(sums), docs/metrics.md (estimates) and docs/viewers.md:

    exact    each count is the true one, and it is said, unless something was dropped, which is told
    upper    count - error <= truth <= count; a context that is not there has at most the floor; totals are sums of lower bounds
    chance   an estimate: no heading, title or fact of its guarantee names a bound of the algorithm
    nothing  the sum has stopped at 2^64 - 1: nothing is claimed
"""
import itertools
import json
import os
import re
import struct
import subprocess
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "hostile", "Inputs"))
from profile import Profile  # noqa: E402

decode, compare, folder = sys.argv[1:4]
MAIN, A, B, C, D = range(5)
# The contexts by their paths, and how often each was there in either run; in the phase "setup" half of that.
PATHS = {"main": 4, "main;a": 1000, "main;b": 4000, "main;a;c": 2000, "main;b;c": 8000, "main;b;c;d": 6, "main;a;c;d": 2}
RUNS = {"1": {path: count for path, count in PATHS.items()}, "2": {path: 3 * count + 2 for path, count in PATHS.items()}}
WORDS = {"main": 3, "main;a": 4, "main;b": 5, "main;a;c": 6, "main;b;c": 7, "main;a;c;d": 8, "main;b;c;d": 9}
FLOOR = 10  # of bounded ones: what has at most so much is left out, and the others are up to so much too high
REST = 7  # of a heap's live bytes: of contexts that are not there; any context may have had them
CHANCE = 2
STOPPED = 2 ** 64 - 1


class Made:
    """A kind of profile: how it is written, and what is known of it."""

    def __init__(self, name, sure, bounded=False, capacity=0, delta=0, metric=0, column="calls", unit="calls", guarantee=None, period=0, trials=0, bursts=None, stopped=False):
        self.name, self.sure, self.bounded, self.unit, self.stopped, self.capacity = name, sure, bounded, unit, stopped, capacity
        self.delta, self.metric, self.column, self.guarantee, self.period, self.trials, self.bursts = delta, metric, column, guarantee, period, trials, bursts

    def cells(self, truth):
        """Context: (mark, count, error)."""
        kept = {path: count for path, count in truth.items() if not self.bounded or count > FLOOR}
        error = FLOOR // 2 if self.bounded else 0
        return {path: (self.trials, count + error, error) for path, count in kept.items()}

    def total(self, truth):
        return STOPPED if self.stopped else sum(truth.values())

    def write(self, run):
        truth = RUNS[run]
        made = Profile(calls=self.total(truth), mode=0 if self.bounded else 1, floor=FLOOR if self.bounded else 0, phi=1e-3, epsilon=1e-3 if self.bounded else 0,
                       capacity=self.capacity, delta=self.delta, metric=self.metric, name=self.column, unit=self.unit, guarantee=self.guarantee, period=self.period)
        for name, contexts in ("main", 1), ("a", 1), ("b", 1), ("c", 2), ("d", 2):
            made.function(name, contexts=contexts)
        made.functions[D] = struct.pack("<Q", 8) + made.functions[D][8:]  # behind the two of c
        for caller, callee, delta in (MAIN, A, 1), (MAIN, B, 2), (A, C, 2), (B, C, 2), (C, D, 2):
            made.site(caller, callee, delta)
        for path, (mark, count, error) in self.cells(truth).items():
            made.count(WORDS[path], count, error=error, mark=mark)
        half = {path: count // 2 for path, count in truth.items()}
        indices = {path: i for i, path in enumerate(self.cells(truth))}
        cells = {indices[path]: cell for path, cell in self.cells(half).items() if path in indices}
        rest = {path: count - half[path] for path, count in truth.items()}
        others = {indices[path]: cell for path, cell in self.cells(rest).items() if path in indices}
        guarantee = made.first[3]
        made.columns = [(self.column, "setup", self.unit, guarantee, cells, self.total(half), made.floor, 0, self.period),
                        (self.column, "rest", self.unit, guarantee, others, self.total(rest), made.floor, 0, self.period)]
        if self.unit == "bytes":
            live = {indices[path]: (self.trials, truth[path] // 4, 0) for path in indices}
            made.columns = [("live", "", "bytes", guarantee, live, sum(cell[1] for cell in live.values()) + REST, 0, REST, self.period)]
        if self.bursts is not None:
            calls = sum(truth.values())
            slack = 50
            made.others.append((15, struct.pack("<6Q2d5Q", 10 ** 7, 10 ** 6, 1000, 100, 0, calls // 10, calls, calls * calls / 100, 0, 0, self.bursts, 10 if self.bursts in (1, 2) else 0, slack)))
        path = os.path.join(folder, f"{self.name}-{run}.bin")
        made.write(path)
        return path


KINDS = [
    Made("exact", "exact"),
    Made("upper", "upper", bounded=True),
    Made("small", "upper", bounded=True, capacity=3),
    Made("sticky", "upper", bounded=True, delta=100, guarantee=CHANCE),
    Made("weight", "exact", metric=1, column="weight", unit="requests"),
    Made("weight-upper", "upper", bounded=True, metric=1, column="weight", unit="requests"),
    Made("event", "chance", metric=1, column="weight", unit="page-faults"),
    Made("time", "chance", metric=2, column="time", unit="ns"),
    Made("time-upper", "chance", bounded=True, metric=2, column="time", unit="ns"),
    Made("wall", "chance", metric=3, column="wall", unit="ns"),
    Made("clock", "exact", metric=4, column="clock", unit="ns"),
    Made("clock-upper", "upper", bounded=True, metric=4, column="clock", unit="ns"),
    Made("heap", "exact", metric=5, column="allocated", unit="bytes"),
    Made("heap-upper", "upper", bounded=True, metric=5, column="allocated", unit="bytes"),
    Made("heap-sampled", "chance", metric=5, column="allocated", unit="bytes", guarantee=CHANCE, period=4096, trials=9),
    Made("bursts", "chance", bounded=True, bursts=0),
    Made("calls", "chance", bounded=True, bursts=1),
    Made("timer", "chance", bounded=True, bursts=3),
    Made("budget", "chance", bounded=True, bursts=5),
    Made("stopped", "nothing", stopped=True),
]
ORDER = ["exact", "upper", "chance", "nothing"]
HAS_PPROF = b"pprof" in subprocess.run([decode, "--help"], capture_output=True, check=True).stdout
wrong = 0


def complain(*words):
    global wrong
    wrong += 1
    if wrong < 30:
        print(*words)


def run(command, *arguments):
    done = subprocess.run([command, *arguments], capture_output=True, text=True, errors="replace")
    if done.returncode:
        complain(arguments, "status", done.returncode, done.stderr.strip()[:200])
    return done.stdout


def hold(told, *what):
    if not told:
        complain(*what)


# --- what each format says of the whole ------------------------------------------------------------------


def check_words(case, sure, bounded_by_delta, arguments, is_cut=False):
    """No format calls an estimate bounded, or a bound exact. is_cut: something is not there, and this has to be told."""
    heading = run(decode, "--format=tree", *arguments).split("\n\n")[0]
    hold(("every count exact" in heading) <= (sure == "exact" and not is_cut), case, "tree says exact", heading)
    hold(not is_cut or ("not exact: " in heading and "sound" not in heading), case, "tree does not tell what is missing", heading)
    hold(("too high" in heading or "epsilon" in heading) == (sure == "upper"), case, "tree and bounds", heading)
    may_lack_hot = "some may be missing" in heading
    hold(("delta" in heading) == (sure == "upper" and bounded_by_delta and not may_lack_hot), case, "tree and delta", heading)
    hold(("2^64 - 1" in heading) == (sure == "nothing"), case, "tree and the end of counting", heading)
    hold(("sound" in heading) <= (sure != "nothing"), case, "tree says sound", heading)
    facts = {"exact": r"exact", "upper": "probabilistic, (delta|but hot)" if bounded_by_delta else "deterministic", "chance": r"probabilistic, estimates", "nothing": "none: "}[sure]
    for form in "csv", "dot", "callgrind":
        guarantee = re.search(r'guarantee:[ "+]*([^;\n"\\]*)', run(decode, f"--format={form}", *arguments))[1].strip()
        hold(re.match(facts, guarantee), case, form, guarantee)
    title = {"exact": "exact counts", "upper": "epsilon", "chance": "estimates", "nothing": "no bounds"}[sure]
    for form in "speedscope", "flamegraph":
        said = re.search(r"phi [0-9.e-]+, ([a-z ]+)", run(decode, f"--format={form}", *arguments))[1]
        hold(said.startswith(title), case, form, said)
    page = run(decode, "--format=html", *arguments)
    hold(is_cut or f'"sure":"{sure}"' in re.sub('": +"', '":"', page), case, "page")
    if HAS_PPROF:
        packed = subprocess.run([decode, "--format=pprof", *arguments], capture_output=True, check=True).stdout
        comments = zlib.decompress(packed, 31).decode(errors="replace")
        hold(re.search("guarantee: " + facts, comments), case, "pprof", comments[-300:])


# --- counts ------------------------------------------------------------------------------------------------


def paths_of(told):
    names = [frame["function"] for frame in told["frames"]]
    paths = []
    for node in told["nodes"]:
        paths.append((paths[node["parent"]] + ";" if node["parent"] >= 0 else "") + names[node["frame"]])
    return paths


def check_json(case, sure, truth, arguments, most_missing=0):
    told = json.loads(run(decode, "--format=json", "--all", *arguments))
    hold(told["guarantee"] == {"exact": "exact", "upper": told["guarantee"], "chance": "probabilistic", "nothing": "none"}[sure], case, told["guarantee"])
    hold(("saturated" in told) == (sure == "nothing"), case, "saturated")
    hold(sure == "upper" or told.get("delta") is None, case, "delta of", told.get("delta"))
    if sure != "nothing" and not most_missing:
        hold(told["calls"] == sum(truth.values()), case, "N", told["calls"])
        lows = sum(node["count"] - node["error"] for node in told["nodes"] if node["count"] is not None)
        hold(lows + told["other"] == told["calls"], case, "what is left", lows, told["other"])
    for path, node in zip(paths_of(told), told["nodes"]):
        count, error, true = node["count"], node["error"], truth.get(path)
        if count is None or true is None:
            continue
        if sure == "exact":
            hold(error == 0 and count <= true <= count + most_missing, case, path, count, error, true)
        else:
            hold(count - error <= true <= count + most_missing, case, path, count, error, true)
        if "low" in node:
            hold(node["low"] <= true <= node["high"], case, path, "range", node["low"], node["high"])
        share = true / sum(truth.values())
        if "share_low" in node:
            hold(node["share_low"] <= share <= node["share_high"], case, path, "share", node["share_low"], share, node["share_high"])
        hold(("low" in node or "share_low" in node) <= (sure == "chance"), case, path, "an interval")
    return told


def inclusive(truth, path):
    return sum(count for other, count in truth.items() if other == path or other.startswith(path + ";"))


def check_csv(case, sure, truth, arguments, most_missing=0):
    lines = [line.split(",") for line in run(decode, "--format=csv", "--all", *arguments).split("\r\n") if line and not line.startswith("#")]
    head = lines[0]
    named = {}
    for row in lines[1:]:
        row = dict(zip(head, row))
        above = named.get(row["parent"])
        path = named[row["node"]] = (above + ";" if above else "") + row["function"]
        if path not in truth or sure == "nothing":
            continue
        low, missing, true = int(row["inclusive"]), int(row["inclusive_error"]), inclusive(truth, path)
        hold(low <= true <= low + missing, case, "csv total", path, low, missing, true)
        hold(sure != "exact" or missing == 0 or most_missing, case, "csv", path, "is exact, and may lack", missing)


def by_function(truth):
    own, total = {}, {}
    for path, count in truth.items():
        names = path.split(";")
        own[names[-1]] = own.get(names[-1], 0) + count
        for name in set(names):
            total[name] = total.get(name, 0) + count
    return own, total


def check_functions(case, sure, truth, arguments):
    if sure == "nothing":
        return
    own, total = by_function(truth)
    everything = 0
    for line in run(decode, "--view=flat", "--format=csv", "--all", *arguments).split("\r\n")[1:]:
        if line.count(",") < 5 or line.startswith("#"):
            continue
        _, name, count, error, whole, *_ = line.split(",")
        whole_error = int(line.rsplit(",", 1)[1])
        everything += int(count or 0)
        if name not in own:
            continue
        hold(int(count or 0) <= own[name] <= int(count or 0) + int(error or 0), case, "flat", name, count, error, own[name])
        hold(int(whole) <= total[name] <= int(whole) + whole_error, case, "flat total", name, whole, whole_error, total[name])
    hold(everything <= sum(truth.values()), case, "functions have more than N", everything)


def check_folded(case, sure, truth, arguments):
    """A path's count is the most that it can be, or the true one."""
    for line in run(decode, "--format=folded", "--all", *arguments).splitlines():
        path, count = line.rsplit(" ", 1)
        if path in truth and sure != "nothing":
            least = truth[path] if sure == "exact" else truth[path] - 2 * FLOOR
            hold(least <= int(count) <= (truth[path] if sure == "exact" else truth[path] + 2 * FLOOR), case, "folded", path, count)


def check_callgrind(case, sure, truth, arguments):
    cost, error = map(int, re.search(r"\nsummary: (\d+) (\d+)", run(decode, "--format=callgrind", "--all", *arguments)).groups())
    if sure != "nothing":
        hold(cost <= sum(truth.values()) <= cost + error + FLOOR * 2 * len(truth), case, "callgrind", cost, error)


def check(case, sure, delta, truth, arguments):
    check_words(case, sure, delta, arguments)
    check_json(case, sure, truth, arguments)
    check_csv(case, sure, truth, arguments)
    check_functions(case, sure, truth, arguments)
    check_folded(case, sure, truth, arguments)
    check_callgrind(case, sure, truth, arguments)


# --- differences ---------------------------------------------------------------------------------------------


def check_difference(case, sure, files):
    told = json.loads(run(compare, "--format=json", *files))
    hold(told["estimate"] == (sure == "chance"), case, "difference: estimate", told["estimate"])
    hold(("saturated" in told) == (sure == "nothing"), case, "difference: saturated")
    for node in told["nodes"]:
        hold(not node.get("beyond") or sure in ("exact", "upper"), case, "difference: beyond", node)
        hold(not node.get("beyond") or node["low_b"] > node["high_a"] or node["low_a"] > node["high_b"], case, "difference: ranges", node)
    text = run(compare, *files)
    hold(("estimates" in text) == (sure == "chance") and ("2^64 - 1" in text) == (sure == "nothing"), case, "difference: text", text[:300])
    flat = run(compare, "--view=flat", *files)
    hold(("beyond" in flat) == (sure in ("exact", "upper")), case, "difference: functions", flat[:300])


# --- all of it -----------------------------------------------------------------------------------------------

files = {kind.name: (kind.write("1"), kind.write("2")) for kind in KINDS}
both = {path: RUNS["1"][path] + RUNS["2"][path] for path in PATHS}
half = {path: count // 2 for path, count in RUNS["1"].items()}
cases = 0
for kind in KINDS:
    one, two = files[kind.name]
    delta = kind.delta > 0
    check((kind.name, "file"), kind.sure, delta, RUNS["1"], [one])
    check((kind.name, "sum"), kind.sure, delta, both, [one, two])
    if kind.unit != "bytes":
        check((kind.name, "phase"), kind.sure, delta, half, ["--phase=setup", one])
    for query in ["--focus=a"], ["--hide=c"], ["--top=2"]:
        check_words((kind.name, *query), kind.sure, delta, [*query, one])
    check_difference((kind.name, "difference"), kind.sure, (one, two))
    cases += 1
# Another value than the first one: what is missing may be of any context, and each number tells so.
for kind in KINDS:
    if kind.unit == "bytes":
        live = {path: count // 4 + (REST if path == "main;a;c" else 0) for path, count in RUNS["1"].items() if not kind.bounded or count > FLOOR}
        case, arguments = (kind.name, "live"), ["--value=live", files[kind.name][0]]
        check_words(case, "chance" if kind.sure == "chance" else "exact", False, arguments, is_cut=True)
        check_json(case, "chance" if kind.sure == "chance" else "exact", live, arguments, REST)
        check_csv(case, "exact", live, arguments, REST)
        check_functions(case, "exact", live, arguments)
        cases += 1
# Two kinds of one metric: the sum is as sure as the weaker one.
for first, second in itertools.combinations([kind for kind in KINDS if kind.column in ("calls", "allocated")], 2):
    if first.unit != second.unit or "timer" in (first.name, second.name):  # ticks are added to no calls
        continue
    sure = max(first.sure, second.sure, key=ORDER.index)
    arguments = [files[first.name][0], files[second.name][1]]
    check((first.name, second.name), sure, max(first.delta, second.delta) > 0, both, arguments)
    cases += 1
# What a sum of bounded ones leaves out of its phases is told.
for other in "exact", "upper":
    case = ("small", other, "phase")
    phase = {path: RUNS["1"][path] // 2 + RUNS["2"][path] // 2 for path in PATHS}
    arguments = ["--phase=setup", files["small"][0], files[other][1]]
    told = json.loads(run(decode, "--format=json", "--all", *arguments))
    hold(sum(told["dropped"].values()) or told["guarantee"] != "exact", case, "exact, and nothing dropped", told["dropped"])
    check_csv(case, "upper", phase, arguments)
    check_functions(case, "upper", phase, arguments)
    cases += 1
print(f"{cases} kinds and pairs, {wrong} wrong claims")
sys.exit(wrong != 0)
