"""Holds each function's calls in a bounded profile against what the program itself counted, in the table and in the formats whose readers add up
functions. usage: functions.py HCCT-DECODE COUNTED PROFILE..."""
import collections
import json
import os
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
folded = os.path.join(os.path.dirname(__file__), "../../viewers/Inputs/folded.py")
for form in ("callgrind", "speedscope", "html"):
    subprocess.run([decode, "--all", f"--format={form}", "-o", f"functions.{form}", *profiles], check=True)
    sums = collections.Counter()
    for line in subprocess.run([sys.executable, folded, form, f"functions.{form}"], check=True, capture_output=True, text=True).stdout.splitlines():
        path, count = line.rsplit(" ", 1)
        sums[path.rsplit(";", 1)[-1]] += int(count)
    wrong = [(form, name, calls, sums[name]) for name, calls in wanted.items() if sums[name] != len(profiles) * calls]
    assert not wrong, wrong
