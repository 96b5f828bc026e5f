"""Where the instructions of an instrumented program go, from what callgrind wrote down."""
import collections
import json
import os
import re
import subprocess

import shell

# What instrumented code and the C library call of the runtime (hcct/abi.h, runtime/boundary/process.h and write.h).
# __hcct_enter_or_miss is a miss but where it goes on as an entry.
PARTS = [("misses", re.compile(r"__hcct_(miss|enter_or_miss)")), ("pushes", re.compile(r"__hcct_(push|pop|enter|count|arrive|jump)|enter_and_count")),
         ("ends", re.compile(r"hcct_(process_start|write_profile)$"))]
NAME = re.compile(r"(c?fn)=\((\d+)\)(?: (.*))?")


def part_of(name, parts):
    return next((part for part, pattern in parts if pattern.match(name)), None)


def inclusive(path, parts=PARTS):
    """{part: instructions, of what was called, too}"""
    names, counts, caller, callee, is_call = {}, collections.Counter(), "", "", False
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            if found := NAME.match(line):
                name = names.setdefault(found[2], found[3])
                if found[1] == "fn":
                    caller = name
                else:
                    callee = name
            elif line.startswith("calls="):
                is_call = True
            elif is_call:
                is_call = False
                part, outer = part_of(callee, parts), part_of(caller, parts)
                if part and outer != part:
                    counts[part] += int(line.split()[-1])
                    if outer:  # such as an entry that goes on as a miss
                        counts[outer] -= int(line.split()[-1])
    return dict(counts)


def calls(profile):
    """N of a profile."""
    command = [os.path.join(shell.HCCT, "bin", "hcct-decode"), "--format=json", "--top=1", profile]
    return json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)["calls"]


def measure(folder):
    """What is told of a run by the files that it left; {} without a profile."""
    profile = os.path.join(folder, "ids.bin")
    if not os.path.exists(profile):
        return {}
    return {**inclusive(os.path.join(folder, "callgrind.out")), "calls": calls(profile), "profile_bytes": os.path.getsize(profile)}
