"""Every algorithm of format/names.def is read by hcct-decode and told by its name; the number behind the last is refused.

usage: algorithms.py SOURCE HCCT-DECODE FILE
"""
import json
import os
import re
import subprocess
import sys

source, decode, path = sys.argv[1:]
with open(os.path.join(source, "format", "names.def"), encoding="utf-8") as file:
    names = re.findall(r'^HCCT_ALGORITHM(?:_RESULT)?\(\w+, "([^"]+)"', file.read(), re.M)
assert len(names) > 6, names
writer = os.path.join(os.path.dirname(os.path.abspath(__file__)), "profile.py")
for number in range(len(names) + 1):
    subprocess.run([sys.executable, writer, "algorithm", path, str(number)], check=True)
    done = subprocess.run([decode, "--all", "--format=json", path], stdout=subprocess.PIPE, check=False)
    if number == len(names):
        assert done.returncode == 1, done
    else:
        assert done.returncode == 0 and json.loads(done.stdout)["algorithm"] == names[number], (number, done)
