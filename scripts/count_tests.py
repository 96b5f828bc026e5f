"""Prints `N passed, N failed` of lit's JSON output; exit status 1 if a test failed or none ran."""
import collections
import json
import sys

GOOD = ("PASS", "FLAKYPASS", "XFAIL")
SKIPPED = ("UNSUPPORTED", "SKIPPED", "EXCLUDED")

try:
    with open(sys.argv[1], encoding="utf-8") as file:
        tests = json.load(file)["tests"]
except (OSError, ValueError) as error:
    sys.exit(f"scripts/check: lit left no results: {error}")

codes = collections.Counter(test["code"] for test in tests)
passed = sum(codes[code] for code in GOOD)
skipped = sum(codes[code] for code in SKIPPED)
failed = len(tests) - passed - skipped
line = f"{passed} passed, {failed} failed"
print(f"{line}, {skipped} skipped" if skipped else line)
sys.exit(failed > 0 or passed == 0)
