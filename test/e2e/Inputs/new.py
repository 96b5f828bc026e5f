"""--new against the profiles themselves: the new contexts of NEW are those that KNOWN lacks; and known= changes no count.

usage: new.py HCCT-DECODE KNOWN NEW WITHOUT     WITHOUT is of the same run as NEW, without known=
"""
import json
import subprocess
import sys


def contexts(*arguments):
    """The count of each context, by its path of functions and call sites; and the profile."""
    profile = json.loads(subprocess.run([decode, "--format=json", "--all", *arguments], stdout=subprocess.PIPE, check=True).stdout)
    frames, paths, found = profile["frames"], [], {}
    for node in profile["nodes"]:
        frame = frames[node["frame"]]
        step = (frame["linkage"] or frame["function"], frame["kind"], node["site"] and node["site"]["id"])
        paths.append((paths[node["parent"]] if node["parent"] >= 0 else ()) + (step,))
        if node["count"] is not None:
            found[paths[-1]] = node["count"]
    return found, profile


decode, known_file, new_file, without_file = sys.argv[1:]
known, _ = contexts(known_file)
all_of_new, profile = contexts(new_file)
without, _ = contexts(without_file)
new, only_new = contexts("--new", new_file)
assert all_of_new == without, "known= changes counts"
expected = {path: count for path, count in all_of_new.items() if path not in known}
assert new == expected, (len(new), len(expected))
assert new and len(new) < len(all_of_new)
assert profile["new"] == only_new["new"] == {"known": len(known), "found": len(new), "unnoted": 0}, profile["new"]
assert only_new["calls"] == profile["calls"] == sum(all_of_new.values())
assert not any(only_new["dropped"].values())
text = subprocess.run([decode, "--new", "--view=flat", new_file], stdout=subprocess.PIPE, check=True, text=True).stdout
assert f"{len(new)} new contexts, beside {len(known)} that were known; only new ones are shown, with {sum(new.values())} calls" in text, text
folded = subprocess.run([decode, "--new", "--format=folded", new_file], stdout=subprocess.PIPE, check=True, text=True).stdout
lines = dict(line.rsplit(" ", 1) for line in folded.splitlines())
assert int(lines.pop("[other]")) == profile["calls"] - sum(new.values())
assert sum(map(int, lines.values())) == sum(new.values())
