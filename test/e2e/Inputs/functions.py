"""Holds each function's calls in a bounded profile against what the program itself counted. usage: functions.py HCCT-DECODE COUNTED PROFILE..."""
import json
import subprocess
import sys

decode, counted, *profiles = sys.argv[1:]
with open(counted, encoding="utf-8") as file:
    wanted = {name: int(calls) for name, calls in (line.split() for line in file)}
shown = json.loads(subprocess.run([decode, "--all", "--view=flat", "--format=json", *profiles], check=True, capture_output=True).stdout)
assert shown["guarantee"] == "deterministic", "contexts were to leave"
rows = {row["function"]: row for row in shown["rows"]}
wrong = [(name, calls, rows.get(name)) for name, calls in wanted.items()
         if name not in rows or rows[name]["count"] != len(profiles) * calls or rows[name]["error"]]
assert not wrong, wrong
assert sum(row["count"] for row in shown["rows"]) == shown["calls"]
