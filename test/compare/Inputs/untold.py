"""untold.py UNTOLD.json TOLD.json NAME: two trees of the same three profiles. In the first one, nothing is told of
two of them: so of a context it must tell what the second one does if only the profile NAME has it, else
nothing."""
import json
import sys

untold, told = (json.load(open(name)) for name in sys.argv[1:3])
assert untold["profiles"] == told["profiles"] == 3
assert [(n["frame"], n["count"]) for n in untold["nodes"]] == [(n["frame"], n["count"]) for n in told["nodes"]]
found = 0
for one, other in zip(untold["nodes"], told["nodes"]):
    spread = other["spread"]
    if spread and spread["absent"] == 2 and spread["max_at"] == sys.argv[3]:
        keys = ("min_low", "min_high", "max_low", "max_high", "max_at", "present", "absent", "mean_low", "mean_high")
        assert all(one["spread"].get(key) == spread.get(key) for key in keys), (one, other)
        found += 1
    else:
        assert one["spread"] is None, one
assert 0 < found < len(told["nodes"]), found
