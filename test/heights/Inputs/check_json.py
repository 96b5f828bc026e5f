"""The same numbers as the text of report.test."""
import json
import sys

report = json.load(open(sys.argv[1]))
if [report["paths"], report["calls"], report["precise"], report["ambiguous"]["paths"]] != [7, 7, {"paths": 5, "calls": 5}, 2]:
    sys.exit(f"{report}")
if report["up_to_degree"][:2] != [5, 7] or any(report["lost_by"].values()):
    sys.exit(f"{report}")
