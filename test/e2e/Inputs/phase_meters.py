"""usage: phase_meters.py HCCT-DECODE PROFILE      what phase-meters.c must leave: exit 2 if it is wrong, 1 if red or blue has nothing yet"""
import json
import subprocess
import sys

decode, profile = sys.argv[1:]


def read(*options):
    return json.loads(subprocess.run([decode, "--format=json", "--by=function", "--all", *options, profile], check=True, stdout=subprocess.PIPE).stdout)


def below(head, name):
    """The counts in the contexts of that function."""
    inside, total = [], 0
    for node in head["nodes"]:
        inside.append(head["frames"][node["frame"]]["function"] == name or (node["parent"] >= 0 and inside[node["parent"]]))
        total += inside[-1] * (node["count"] or 0)
    return total


whole = read()
phases = {phase["name"]: phase["calls"] for phase in whole["phases"]}
found = {name: read("--phase=" + name) for name in phases}
if sum(phases.values()) != whole["calls"] or any(found[name]["calls"] != calls for name, calls in phases.items()):
    print(f"{phases} do not add up to {whole['calls']}")
    sys.exit(2)
for other, name in (("blue", "red"), ("red", "blue")):
    strays = {phase: below(head, name) for phase, head in found.items() if phase != name and below(head, name)}
    if strays:
        print(f"{name} stands in {strays}")
        sys.exit(2)
print(phases, {name: below(head, name) for name, head in found.items()})
sys.exit(not all(name in found and below(found[name], name) for name in ("red", "blue")))
