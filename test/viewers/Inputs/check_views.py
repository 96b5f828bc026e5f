"""Computes what the filters and views must show from the whole tree (--format=json --all --names=short), and compares; and adds up what each
format shows, which has to be the profile's calls.

usage: check_views.py HCCT-DECODE EXACT.bin HOT.bin
"""
import collections
import csv
import io
import json
import re
import subprocess
import sys

decode, exact, hot = sys.argv[1:4]
FOLD = "^(std|__gnu_cxx|__cxxabiv1)::"


def run(profile, *options):
    done = subprocess.run([decode, *options, profile], check=True, capture_output=True, text=True, encoding="utf-8")
    assert not done.stderr, done.stderr
    return done.stdout


def paths(text):
    """path of names, root first -> own count; and what stands for the rest."""
    profile, found, counts = json.loads(text), [], collections.Counter()
    for node in profile["nodes"]:
        found.append((found[node["parent"]] if node["parent"] >= 0 else ()) + (profile["frames"][node["frame"]]["function"],))
        counts[found[-1]] += node["count"] or 0
    assert sum(counts.values()) + profile["other"] == profile["calls"], options
    return +counts, profile["other"]


# --- filters ---------------------------------------------------------------------------------------------

whole, nothing = paths(run(exact, "--format=json", "--all", "--names=short"))
assert nothing == 0 and len(whole) > 100
calls = sum(whole.values())


def filtered(ignore=None, focus=None, root=None, hide=None, fold=None):
    result = collections.Counter()
    for path, count in whole.items():
        hits = lambda pattern: [i for i, name in enumerate(path) if re.search(pattern, name)]
        if (ignore and hits(ignore)) or (focus and not hits(focus)) or (root and not hits(root)):
            continue
        kept = path[hits(root)[0]:] if root else path
        kept = [name for name in kept if not (hide and re.search(hide, name))]
        folded = []
        for name in kept:
            if fold and re.search(fold, name):
                name = "[" + name.split("::")[0] + "]"
                if folded and folded[-1].startswith("["):
                    continue
            folded.append(name)
        if folded:
            result[tuple(folded)] += count
    return result


queries = [{"focus": "^app::work$"}, {"ignore": "score"}, {"root": "^app::(even|odd)$"}, {"hide": "^std::|^__gnu_cxx::"}, {"fold": FOLD},
           {"hide": "even"}, {"focus": "before", "ignore": "odd"}, {"root": "work", "hide": "find|put", "fold": FOLD},
           {"focus": "score|put", "ignore": "again", "root": "app::", "hide": "work", "fold": FOLD}, {"focus": "nowhere"}]
for query in queries:
    options = [f"--{name}={pattern}" for name, pattern in query.items()]
    got, other = paths(run(exact, "--format=json", "--all", "--names=short", *options))
    wanted = filtered(**query)
    assert got == wanted, (query, got - wanted, wanted - got)
    assert other == calls - sum(wanted.values()), (query, other)
# A pattern with a blank or a parenthesis is searched for in full names, with _Z in linkage names.
for pattern in ("score\\(int\\)", "_ZN3app5scoreEi$"):
    options = [f"--focus={pattern}"]
    got, other = paths(run(exact, "--format=json", "--all", *options))
    through = {path: count for path, count in paths(run(exact, "--format=json", "--all"))[0].items() if "app::score(int)" in path}
    assert got == through and through, pattern

# --- callers, flat, peek -----------------------------------------------------------------------------------

suffixes = collections.Counter()
for path, count in whole.items():
    for i in range(len(path)):
        suffixes[tuple(reversed(path[i:]))] += count
for function in (None, "app::score", "before", "app::odd"):
    options = ["--view=callers" + (f"={function}" if function else "")]
    profile = json.loads(run(exact, "--format=json", "--all", "--names=short", *options))
    found, got = [], {}
    for node in profile["nodes"]:
        found.append((found[node["parent"]] if node["parent"] >= 0 else ()) + (profile["frames"][node["frame"]]["function"],))
        got[found[-1]] = got.get(found[-1], 0) + (node["count"] or 0)
    # a node's own count is that of the paths which begin there; with those above it that of all which end so
    total = collections.Counter()
    for path, count in got.items():
        for i in range(len(path)):
            total[path[:i + 1]] += count
    name = {"before": "app::before", None: None}.get(function, function)
    wanted = {path: count for path, count in suffixes.items() if count and (name is None or path[0] == name)}
    assert {path: count for path, count in total.items() if count} == wanted, function
    assert profile["other"] == calls - sum(count for path, count in wanted.items() if len(path) == 1)
    lines = run(exact, "--format=folded", *options).splitlines()
    assert sum(int(line.rsplit(" ", 1)[1]) for line in lines) == calls, options

def by_function(*options):
    """The nodes of that tree, their paths, and by function: own count, inclusive count, contexts, callers."""
    own, total, contexts = (collections.Counter() for _ in range(3))
    edges = collections.defaultdict(set)
    tree = json.loads(run(exact, "--format=json", "--all", "--names=linkage", *options))
    nodes, frames = tree["nodes"], tree["frames"]
    steps = []
    for node in nodes:
        frame = frames[node["frame"]]
        name = (frame["linkage"], frame["file"]) if frame["kind"] in ("function", "inlined") else (frame["function"], "")
        steps.append((steps[node["parent"]] if node["parent"] >= 0 else ()) + (name,))
        if len(steps[-1]) > 1:
            edges[name].add(steps[-1][-2])
        if node["count"] is not None:
            own[name] += node["count"]
            contexts[name] += 1
            for step in set(steps[-1]):
                total[step] += node["count"]
    return nodes, steps, own, total, contexts, edges


# Filters: what they leave out is neither a row nor a caller.
for options in ([], ["--focus=score"], ["--focus=again"], ["--ignore=score|again"], ["--focus=find", "--root=work"], ["--focus=put", "--hide=app::work"]):
    nodes, steps, own, total, contexts, edges = by_function(*options)
    rows = json.loads(run(exact, "--view=flat", "--format=json", "--all", *options))["rows"]
    seen = set()
    for row in rows:
        key = (row["linkage"], row["file"])
        assert key not in seen
        if row["function"] == "[other]":
            continue
        seen.add(key)
        assert (row["count"], row["total"], row["contexts"], row["callers"]) == (own[key], total[key], contexts[key], len(edges[key])), (options, row)
    assert sum(row["count"] for row in rows) == calls and seen == {name for name in total}, options
nodes, steps, own, total, contexts, edges = by_function()
rows = json.loads(run(exact, "--view=flat", "--format=json", "--all"))["rows"]
by_csv = list(csv.DictReader(io.StringIO(run(exact, "--view=flat", "--format=csv", "--all"), newline="")))
assert [(row["function"], int(row["calls"]), int(row["total"])) for row in by_csv] == [(row["function"], row["count"], row["total"]) for row in rows]

again = "_ZL5againi"
rows = json.loads(run(exact, "--view=peek=again", "--format=json", "--all"))["rows"]
found = {(row["section"], row["linkage"]): row for row in rows}
inside = {step: count for step, count in zip(steps, (node["count"] or 0 for node in nodes)) if any(name[0] == again for name in step)}
recursive = sum(count for step, count in zip(steps, (node["count"] or 0 for node in nodes)) if len(step) > 1 and step[-1][0] == step[-2][0] == again)
assert found["function", again]["count"] == own[(again, found["function", again]["file"])]
assert found["callers", again]["count"] == found["callees", again]["count"] == recursive > 0
assert found["callers", "main"]["total"] == found["function", again]["total"], "recursion counts once"
assert sum(row["count"] for row in rows if row["section"] == "callers") == found["function", again]["count"]
# The function and [other] beside it add up to all calls, by own counts and by inclusive ones.
for options in [], ["--ignore=score"]:
    rows = json.loads(run(exact, "--view=peek=again", "--format=json", *options))["rows"]
    function, other = [row for row in rows if row["section"] == "function"]
    assert other["function"] == "[other]" and function["count"] + other["count"] == function["total"] + other["total"] == calls, rows
    assert function["count"] > 0 and other["total"] > 0, rows
# What --top leaves out of the callers, and of what is called, is [other] there.
def sections(*options):
    rows = json.loads(run(exact, "--format=json", *options))["rows"]
    return {name: [row for row in rows if row["section"] == name] for name in ("callers", "function", "callees")}


for function, top in ("again", 1), ("app::even", 1), ("app::work", 1), ("app::work", 20):
    every, cut = sections(f"--view=peek={function}"), sections(f"--view=peek={function}", f"--top={top}")
    for name in "callers", "callees":
        left_out = every[name][top:]
        assert left_out or top == 20 or (function, name) == ("app::even", "callers"), (function, name)
        assert cut[name][:top] == every[name][:top] and len(cut[name]) == min(len(every[name]), top) + any(row["count"] or row["total"] for row in left_out), cut[name]
        for row in cut[name][top:]:
            assert row["function"] == "[other]" and all(row[key] == sum(it[key] for it in left_out) for key in ("count", "error", "total")), row
    assert sum(row["count"] for row in cut["callers"]) == cut["function"][0]["count"] and cut["function"] == every["function"]

# Upside down a line stands for all paths that end as it says. Those that left the profile may end so, too.
table = run(hot, "--view=callers", "--format=csv", "--fold=", "--all").split("\n", 1)[1]
table = list(csv.DictReader(io.StringIO(table, newline="")))
known = json.loads(run(hot, "--format=json", "--all"))
left = known["calls"] - sum(node["count"] - node["error"] for node in known["nodes"] if node["count"] is not None)
errors = [0 if row["kind"] == "other" else left for row in table]
assert [int(row["inclusive_error"]) for row in table] == errors and left > 0
lines = run(hot, "--view=callers", "--fold=", "--all").splitlines()
lines = lines[next(i for i, line in enumerate(lines) if line.endswith("callers below")) + 1:]
lines = [re.match(r"[* ] +[<0-9.%]+ +([0-9]+)(?: \+([0-9]+))? ", line) for line in lines]
shown = [(int(line[1]), int(line[2] or 0)) for line in lines if line]
# Lines that tie are in the order of their names, which are shorter in the text.
assert sorted(shown) == sorted((int(row["inclusive"]), error) for row, error in zip(table, errors)), "the error of each line"

# --- totals ------------------------------------------------------------------------------------------------

for profile, options in ((exact, []), (exact, ["--phi=0.05"]), (exact, ["--top=3"]), (hot, []), (hot, ["--focus=score", "--phi=0.01"]),
                         (exact, ["--depth=3"]), (exact, ["--all", "--hide=work"])):
    calls = json.loads(run(profile, "--format=json"))["calls"]
    sums = {}
    sums["folded"] = sum(int(line.rsplit(" ", 1)[1]) for line in run(profile, "--format=folded", *options).splitlines())
    table = run(profile, "--format=csv", *options).split("\n", 1)[1] # behind the line about the profile
    sums["csv"] = sum(int(row["calls"]) for row in csv.DictReader(io.StringIO(table, newline="")) if row["calls"])
    sums["speedscope"] = json.loads(run(profile, "--format=speedscope", *options))["profiles"][0]["endValue"]
    own, before = 0, ""
    for line in run(profile, "--format=callgrind", *options).splitlines():
        costs = re.fullmatch(r"[0-9+*-]\S* ([0-9]+)( [0-9]+)?", line)
        own += int(costs[1]) if costs and not before.startswith("calls=") else 0 # behind calls= stands what is below the call
        before = line
    sums["callgrind"] = own
    tree = run(profile, *options).splitlines()
    start = next(i for i, line in enumerate(tree) if line.endswith("context")) + 1
    column = re.search(r"\bcalls\b", tree[start - 1]).end()
    shown = [line[:column].split()[-1] for line in tree[start:] if re.match(r"[* ] +[<0-9.%]+ +[<0-9.%]+ +[0-9]", line)]
    sums["tree"] = sum(map(int, shown))
    sites = (re.match(r"[* ] +[<0-9.%]+ +([0-9]+)  \S", line) for line in run(profile, "--format=source", *options).splitlines())
    sums["source"] = sum(int(site[1]) for site in sites if site)
    flat = json.loads(run(profile, "--view=flat", "--format=json", *[o for o in options if not o.startswith("--depth")]))["rows"]
    sums["flat"] = sum(row["count"] for row in flat)
    for name, value in sums.items():
        # tree and csv show the count of each context, which may be too high by its error; the others add up lower bounds
        assert value == calls or (profile == hot and name in ("tree", "csv") and value > calls), (name, options, value, calls)

# --- names -------------------------------------------------------------------------------------------------

text = run(exact, "--all")
assert "app::score(int)" in text and "app::score(long)" in text and "app::store<…>::find" in text and "[std]" in text, text
assert not re.search(r"\bstd::", text), "library frames are folded"
assert "std::" in run(exact, "--all", "--fold=") and "allocator" not in run(exact, "--all", "--fold=")
assert "allocator" in run(exact, "--all", "--fold=", "--names=full") and "_ZN3app4workEi" in run(exact, "--all", "--names=linkage")
assert run(exact, "--names=linkage") == run(exact, "--no-demangle")
