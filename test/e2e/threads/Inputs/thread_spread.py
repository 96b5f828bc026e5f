"""What --spread=threads says of the threads of one function is what their own trees say.

usage: thread_spread.py THREADS.json JOINED.json
"""
import json
import sys


def roots(path):
    """{thread: {path below it: node}}; a thread is told by its name in brackets."""
    with open(path) as file:
        profile = json.load(file)
    found, places = {}, []
    for node in profile["nodes"]:
        frame = profile["frames"][node["frame"]]
        site = node["site"] and node["site"]["id"]
        if node["parent"] < 0:
            places.append((frame["function"], ()))
        else:
            root, above = places[node["parent"]]
            places.append((root, above + ((frame["linkage"], site),)))
        root, steps = places[-1]
        found.setdefault(root, {})[steps] = node
    return found


threads, joined = roots(sys.argv[1]), roots(sys.argv[2])
groups = {}
for name, nodes in threads.items():
    first = {steps[0][0] for steps in nodes if steps}
    assert len(first) == 1, (name, first)
    groups.setdefault(first.pop(), {})[name] = nodes
print({start: sorted(group) for start, group in groups.items()})
checked = 0
for start, group in groups.items():
    if len(group) == 1:
        (name, nodes), = group.items()
        assert all(node["spread"] is None for node in joined[name].values())
        assert {steps: node["count"] for steps, node in joined[name].items()} == {steps: node["count"] for steps, node in nodes.items()}
        continue
    everything = joined[f"[threads {start}]"]
    assert set(everything) == set().union(*group.values())
    for steps, node in everything.items():
        counts = {name: (nodes.get(steps) or {}).get("count") or 0 for name, nodes in group.items()}
        if node["count"] is None:
            assert not any(counts.values())
            continue
        it, least, most = node["spread"], min(counts.values()), max(counts.values())
        assert node["count"] == sum(counts.values()), (steps, node, counts)
        assert it["min_low"] == it["min_high"] == least and it["max_low"] == it["max_high"] == most, (steps, it, counts)
        assert counts[it["min_at"]] == least and counts[it["max_at"]] == most, (steps, it, counts)
        assert it["present"] == sum(count > 0 for count in counts.values()) and it["present"] + it["absent"] == len(group)
        assert abs(it["mean_high"] - node["count"] / len(group)) < 1e-6
        checked += least != most
sys.exit(not checked)
