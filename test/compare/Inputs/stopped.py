"""Ends a merge by SIGTERM, a little later each time, until it has read all files of the folder; and looks that each was added once.

usage: stopped.py HCCT-MERGE FOLDER OUT
"""
import os
import re
import signal
import subprocess
import sys
import time

merge, folder, out = sys.argv[1:]
files = sorted(os.path.join(where, name) for where, _, names in os.walk(folder) for name in names if not name.startswith(".") and ".tmp" not in name)
added = stops = 0
for wait in range(1000):
    process = subprocess.Popen([merge, "-o", out, "--resume", "--files-from=-"], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdin.write("\n".join(files[:wait + 1]) + "\n")
    process.stdin.flush()  # and the list goes on: the merge waits
    time.sleep(wait / 1000)
    process.send_signal(signal.SIGTERM)
    _, told = process.communicate()
    if process.returncode == -signal.SIGTERM:  # before it catches signals
        continue
    goes_on = "stopped; the same command goes on from here" in told
    assert process.returncode == goes_on, told  # the signal may come when the list ends
    numbers = re.search(r"added (\d+) files; (\d+) were there already", told)
    assert int(numbers[2]) <= added, told
    added += int(numbers[1])
    stops += 1
    if added == len(files):
        break
assert added == len(files) and stops, f"{added} files after {stops} stops"
told = subprocess.run([merge, "-o", out, "--resume", folder], check=True, stderr=subprocess.PIPE, text=True).stderr
assert f"added 0 files; {len(files)} were there already" in told, told
print(f"{len(files)} files, stopped {stops} times")
