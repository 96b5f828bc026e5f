"""claims.py DECODE FILE... : FILE... : ...: what each format says of how exact the files are, added up, is what the name of the last of them
begins with: "exact", "upper" (bounds) or "chance" (estimates)."""
import itertools
import json
import re
import subprocess
import sys

decode = sys.argv[1]
GUARANTEES = {"exact": "exact", "upper": "deterministic", "chance": "probabilistic"}
FACTS = {"exact": r"exact$", "upper": r"deterministic$", "chance": r"probabilistic, estimates from samples(, one byte in 4096)?$"}


def shown(form, files):
    return subprocess.run([decode, "--format=" + form, *files], check=True, capture_output=True, text=True).stdout


def check(files):
    sure = re.match("[a-z]+", files[-1])[0]
    told = json.loads(shown("json", files))
    assert told["guarantee"] == GUARANTEES[sure] and "delta" not in told, (files, told["guarantee"])
    heading = shown("tree", files).split("\n\n")[0]
    assert ("every count exact" in heading) == (sure == "exact"), heading
    assert ("too high" in heading) == ("epsilon" in heading) == (sure == "upper"), heading
    page = shown("html", files)
    assert f'"sure":"{sure}"' in re.sub('": +"', '":"', page), files
    for form in "csv", "dot", "callgrind":
        facts = re.search(r'guarantee:[ "+]*([^;\n"\\]*)', shown(form, files))[1].strip()
        assert re.match(FACTS[sure], facts), (form, files, facts)
    for form in "speedscope", "flamegraph":
        title = re.search(r"phi [0-9.e-]+, ([a-z]+)", shown(form, files))[1]
        assert title == {"exact": "exact", "upper": "epsilon", "chance": "estimates"}[sure], (form, files, title)


groups = [list(group) for is_end, group in itertools.groupby(sys.argv[2:], lambda word: word == ":") if not is_end]
for group in groups:
    check(group)
assert len(groups) == 11
