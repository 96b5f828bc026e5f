"""Computes what hcct-compare --format=json must print of two profiles of one build, from what hcct-decode prints of them
(--format=json --all, by site), and compares. With the exact profiles of the same two runs it checks the ranges too: the true
counts lie in them.

usage: difference.py A.bin A.json B.bin B.json DIFF.json [EXACT-A.json EXACT-B.json]
"""
import json
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "hostile", "Inputs"))
import packed  # noqa: E402


def most_absent(path):
    """How often a context that the profile does not show can have been called (format/layout.h): the first column's floor, or
    the largest count of a context whose callers are not known. Which of the cold ones these are depends on the words, and these
    on the folder."""
    sections = {kind: content for kind, _, _, content in packed.unpacked(packed.read(path))}
    floor, = struct.unpack_from("<Q", sections[9], 40)
    prefixes = [prefix for _, prefix, _ in struct.iter_unpack("<QII", sections[7])]
    return max([floor] + [count for context, _, count, _ in struct.iter_unpack("<IIQQ", sections[10])
                          if prefixes[context] == 0xffffffff])


def read(path):
    """path of functions and lines -> [count, error, contexts by site]"""
    with open(path) as file:
        profile = json.load(file)
    assert sum(profile["dropped"].values()) == profile["cold_chain"] and not profile["misplaced"]["stale"]
    paths, contexts = [], {}
    for node in profile["nodes"]:
        frame, site = profile["frames"][node["frame"]], node["site"]
        step = (frame["function"], frame["kind"], site and (site["file"], site["line"]))
        paths.append((paths[node["parent"]] if node["parent"] >= 0 else ()) + (step,))
        if node["count"] is not None:
            sums = contexts.setdefault(paths[-1], [0, 0, 0])
            for i, value in enumerate((node["count"], node["error"], 1)):
                sums[i] += value
    return profile["calls"], contexts


def bounds(own, other, absent):
    count, error, number = own or (0, 0, 0)
    return count - error, count + absent * max(0, (other[2] if other else 0) - number)


(a_file, a_json, b_file, b_json, diff_file), exact = sys.argv[1:6], sys.argv[6:]
absent = most_absent(a_file), most_absent(b_file)
(calls_a, a), (calls_b, b) = read(a_json), read(b_json)
with open(diff_file) as file:
    diff = json.load(file)
found, paths = {}, []
for node in diff["nodes"]:
    step = (node["function"], node["kind"], node["site"] and (node["site"]["file"], node["site"]["line"]))
    assert node["parent"] < len(paths), "a parent behind its child"
    paths.append((paths[node["parent"]] if node["parent"] >= 0 else ()) + (step,))
    if "change" in node:
        assert paths[-1] not in found, "a context twice"
        found[paths[-1]] = node
wrong = []
if (diff["calls_a"], diff["calls_b"], diff["same_build"]) != (calls_a, calls_b, True):
    wrong.append("the head is wrong")
for path in a.keys() | b.keys():
    in_a, in_b = a.get(path), b.get(path)
    low_a, high_a = bounds(in_a, in_b, absent[0])
    low_b, high_b = bounds(in_b, in_a, absent[1])
    value_a = in_a[0] if in_a else min(in_b[0], high_a)
    value_b = in_b[0] if in_b else min(in_a[0], high_b)
    wanted = {"count_a": in_a and in_a[0], "count_b": in_b and in_b[0], "low_a": low_a, "high_a": high_a, "low_b": low_b,
              "high_b": high_b, "change": value_b - value_a, "beyond": low_b > high_a or low_a > high_b}
    node = found.pop(path, None)
    if node is None or any(node[key] != value for key, value in wanted.items()):
        wrong.append(f"{path}: {node} instead of {wanted}")
    elif node["match"] not in ("both", "only_a", "only_b"):
        wrong.append(f"{path}: {node['match']}")
wrong += [f"{path} is in neither profile" for path in found]
changes = [diff["nodes"][i] for i in diff["changes"]]
sizes = [abs(node["change"]) for node in changes]
if sizes != sorted(sizes, reverse=True) or len(set(diff["changes"])) != len(sizes):
    wrong.append("the changes are not ranked")
if len(sizes) != sum(1 for node in diff["nodes"] if node.get("change") or node.get("beyond")) or len(sizes) != diff["changed"]:
    wrong.append("there are other changes than those ranked")
beyond = sum(node["beyond"] for node in changes)
if beyond != diff["beyond"]:
    wrong.append("wrong number beyond the bounds")
if exact:
    truths = [read(path)[1] for path in exact]
    for i, node in enumerate(diff["nodes"]):
        for key, truth in zip("ab", truths) if "change" in node else ():
            true = truth.get(paths[i], (0,))[0]
            if not node["low_" + key] <= true <= node["high_" + key]:
                wrong.append(f"{true} is not in the range of {node}")
for line in wrong[:20]:
    print(line)
print(f"{len(a)} and {len(b)} contexts, {len(sizes)} changed, {beyond} beyond, {len(wrong)} wrong")
sys.exit(bool(wrong) or not sizes)
