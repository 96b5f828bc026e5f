"""Checks the rows of hcct-compare's text against its JSON: each row is one change, no two rows read the same unless their whole paths do, and
the columns add up to the profiles' calls; those of --view=flat against what hcct-decode tells of exact runs (own counts) and of each profile (totals).

usage: rows.py TOP ROWS.txt FLAT.txt DIFF.json FLAT.json SIDE-A.json SIDE-B.json EXACT-A.json EXACT-B.json
"""
import bisect
import json
import re
import sys

top = int(sys.argv[1])
rows, flat = ([line.rstrip("\n") for line in open(name, encoding="utf-8")] for name in sys.argv[2:4])
diff, flat_json, *sides = (json.load(open(name)) for name in sys.argv[4:10])
NUMBER = r"(?P<{}>-|[0-9]+)"
ROW = re.compile(r"(?P<beyond>[* ]) +(?P<change>[+-][0-9]+) +(?P<percent>[+-][0-9.]+%|x[0-9.e+]+|new|gone)? +" + NUMBER.format("a") + " +" +
                 NUMBER.format("b") + r"(?: +(?P<ta>[0-9]+) +(?P<tb>[0-9]+))?  (?P<text>.*)$")


def value(node, side, other):
    """A side's count; where it has none, the value in its range that is nearest to the other's count."""
    count = node[f"count_{side}"]
    return min(node[f"count_{other}"], node[f"high_{side}"]) if count is None else count


def percent(a, b):
    """What stands beside a change from a to b."""
    if a == b:
        return None
    if not a or not b:
        return "gone" if a else "new"
    share = 100 * (b - a) / a
    return f"x{b / a:.3g}" if share >= 99999 else f"{share:+.1f}%"


def number(text):
    return 0 if text == "-" else int(text)


def parse(lines, title):
    start = next(i for i, line in enumerate(lines) if line.split()[:1] == ["change"] and title in line) + 1
    found = [ROW.match(line) for line in lines[start:] if not line.endswith("(--top)")]
    assert found and all(found), lines[start:][found.index(None)]
    assert found[-1]["text"] == "[other]"
    for key, calls in (("a", diff["calls_a"]), ("b", diff["calls_b"])):
        total = sum(number(row[key]) for row in found)
        # counts of a bounded profile may add up to more than its calls; then [other] is 0
        assert total == calls or (total > calls and number(found[-1][key]) == 0), (total, calls)
    return found[:-1]


# Rows are the ranking.
found = parse(rows, "context: ")
ranked = [diff["nodes"][i] for i in diff["changes"]]
assert len(found) == (min(top, len(ranked)) if top else len(ranked)) > 5
paths = []
for node in diff["nodes"]:
    step = (node["function"], node["site"] and (node["site"]["file"], node["site"]["line"]))
    paths.append((paths[node["parent"]] if node["parent"] >= 0 else ()) + (step,))
texts = {}
for row, index in zip(found, diff["changes"]):
    node = diff["nodes"][index]
    assert number(row["change"]) == node["change"] and (row["beyond"] == "*") == node["beyond"], row[0]
    assert number(row["a"]) == (node["count_a"] or 0) and number(row["b"]) == (node["count_b"] or 0), row[0]
    assert row["percent"] == percent(value(node, "a", "b"), value(node, "b", "a")), row[0]
    frames = re.split(r" +<- ", re.sub(r"  \(was .*", "", row["text"]))
    wanted = [function for function, _ in reversed(paths[index])]
    assert [frame.split(":")[0] for frame in frames] == wanted[:len(frames)] or any("more]" in frame for frame in frames), (frames, wanted)
    texts.setdefault(row["text"], []).append(len(frames) == len(wanted))
for text, whole in texts.items():
    assert len(whole) == 1 or all(whole) or "more]" in text, f"{text} stands {len(whole)} times"
# Fewer callers do not tell it apart; but a frame in brackets is followed by its caller in any case.
if not top:
    ordered = [*sorted(texts), ""]
    for text in (text for text in texts if not text.startswith("[")):
        shorter = text.rsplit(" <- ", 1)[0].rstrip() if " <- " in text else None
        at = bisect.bisect_left(ordered, shorter) if shorter else 0  # itself, or another one that begins like it
        assert shorter is None or "more]" in text or all(other.startswith(shorter) for other in ordered[at:at + 2]), text

# By function: own counts are exact, of bounded profiles, too; totals are those that each profile has by itself.
totals, own = ([{row["function"]: row[key] for row in side["rows"] if row["function"] != "[other]"} for side in some]
               for key, some in (("total", sides[:2]), ("count", sides[2:])))
names = set().union(*totals, *own)
assert {row["function"] for row in flat_json["functions"]} == {name for name in names if any(of[0].get(name, 0) != of[1].get(name, 0) for of in (own, totals))}
for row in flat_json["functions"]:
    a, b = (side.get(row["function"], 0) for side in own)
    assert [row[key] for key in ("change", "count_a", "count_b", "low_a", "high_a", "low_b", "high_b")] == [b - a, a, b, a, a, b, b], (row, a, b)
    assert row["beyond"] == (a != b), row
    for key, side in (("total_a", totals[0]), ("total_b", totals[1])):
        assert row[key] == side.get(row["function"], 0), (row, side.get(row["function"]))
changes = [(abs(row["change"]), row["beyond"], abs(row["total_b"] - row["total_a"])) for row in flat_json["functions"]]
assert changes == sorted(changes, reverse=True)
found = parse(flat, "function")
assert len(found) == (min(top, len(changes)) if top else len(changes))
for row, wanted in zip(found, flat_json["functions"]):
    assert (number(row["change"]), number(row["a"]), number(row["b"]), number(row["ta"]), number(row["tb"]), row["text"]) == tuple(
        wanted[key] for key in ("change", "count_a", "count_b", "total_a", "total_b", "function")), row[0]
    assert row["percent"] == percent(wanted["count_a"], wanted["count_b"]) and "-" not in (row["a"], row["b"]), row[0]
