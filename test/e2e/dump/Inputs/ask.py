"""Feeds server.c with requests, and asks it for profiles meanwhile.

usage: ask.py PROGRAM HCCT-TOP HCCT-DECODE
"""
import json
import os
import subprocess
import sys
import threading
import time

program, top, decode = sys.argv[1:4]
options = {**os.environ, "HCCT_OPTIONS": "metric=heap:dump=1"}
subprocess.run([program], stdin=subprocess.DEVNULL, env=options, check=True)  # leaves a profile
server = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=options)
answered, stop = 0, False


def check(what, condition):
    if not condition:
        server.kill()
        sys.exit(f"wrong: {what}")


def request():
    global answered
    server.stdin.write("request\n")
    server.stdin.flush()
    answer = server.stdout.readline()
    check(f"the server's answer {answer!r}", answer == f"{answered + 1}\n")
    answered += 1


def feed():
    while not stop:
        request()
        time.sleep(0.01)


def live():
    """The live bytes of the function that keeps, by the profile."""
    data = json.loads(subprocess.run([decode, "--all", "--value=live", "--format=json"], capture_output=True, check=True).stdout)
    names = [data["frames"][node["frame"]]["function"] for node in data["nodes"]]
    kept = [node["count"] for node in data["nodes"] if node["parent"] >= 0 and names[node["parent"]] == "keep" and node["count"]]
    return kept[0] if kept else 0


# While it works, it answers at once. What it was when it wrote is between what it was before and after.
feeder = threading.Thread(target=feed)
feeder.start()
while subprocess.run([top, "-n", "1"], capture_output=True).returncode:  # there is the profile of the run before only
    check("hcct-top's first look", answered < 100000)
for _ in range(3):
    before = answered
    subprocess.run([top, "--dump"], check=True)
    found = live()
    check(f"{found} bytes between requests {before} and {answered}", before * 1000 <= found <= (answered + 1) * 1000 and found % 1000 == 0)
    check("the request is gone", not os.path.exists("ids.bin.dump"))
shown = subprocess.run([top, "-n", "2", "-d", "0.2"], capture_output=True, text=True, check=True).stdout
stop = True
feeder.join()
rows = [line.split() for line in shown.splitlines() if line.endswith("main;work;keep;[malloc]")]
check(f"two tables: {shown}", len(rows) == 2 and rows[0][0] == "-" and int(rows[1][0]) == int(rows[1][1]) - int(rows[0][1]) > 0)

# One that waits does not answer. The next request to it does.
asked = subprocess.Popen([top, "--dump"], stderr=subprocess.PIPE, text=True)
while not os.path.exists("ids.bin.dump"):
    time.sleep(0.01)
time.sleep(0.2)
check("it waits", asked.poll() is None)
request()
check("an answer", asked.wait() == 0)
check("all requests", live() in (answered * 1000, (answered - 1) * 1000))

# At the end the profile has the whole run.
server.stdin.close()
check("the exit status", server.wait() == 0)
check("the whole run", live() == answered * 1000)
asked = subprocess.run([top, "-n", "1"], capture_output=True, text=True)
check(f"an ended program: {asked}", asked.returncode == 1 and "has ended" in asked.stderr)
print("each profile was that of its moment")
