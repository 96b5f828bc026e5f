"""Kills `killed` (killed.c) at random moments and compares what its continuous profile has with the program's own book.

usage: kill.py HCCT-DECODE PROGRAM FOLDER MODE THREADS KILLS

With w the calls of a context: entered <= w <= begun, and the two differ by one call in each thread at the most.
mode=cct: entered <= count <= begun for every context. mode=hcct: count - error <= begun and entered <= count for those that are
shown, entered <= epsilon N for the others, but for what the profile itself says has no chain. N lacks one call a thread.
"""
import array
import json
import os
import random
import signal
import subprocess
import sys
import time

NODES = 37449
decode, program, folder, mode, threads, kills = sys.argv[1:4] + [sys.argv[4]] + [int(a) for a in sys.argv[5:7]]
options = {"cct": "mode=cct", "hcct": "mode=hcct:phi=2e-3"}[mode]
profile, book = os.path.join(folder, "ids.bin"), os.path.join(folder, "book")
seen = {"profiles": 0, "in flight": 0, "calls": 0}


def fail(text):
    print(f"kill {kill}: {text}")
    sys.exit(1)


def run_and_kill():
    for path in (profile, book, profile + ".tmp"):
        if os.path.exists(path):
            os.unlink(path)
    environment = dict(os.environ, HCCT_OPTIONS=f"continuous=1:{options}:output={profile}")
    process = subprocess.Popen([program, book, str(threads), str(kill)], env=environment)
    # Half of them early, when tables are made and grow.
    time.sleep(0.5 if kills == 1 else random.uniform(0, 0.02 * slowness) if kill % 2 else random.uniform(0, 0.15 * slowness))
    process.send_signal(signal.SIGKILL)
    if process.wait() != -signal.SIGKILL:
        fail(f"ended by itself: {process.returncode}")


def read_book():
    begun, entered = [0] * NODES, [0] * NODES
    numbers = array.array("Q")
    if os.path.exists(book):
        with open(book, "rb") as file:
            numbers.frombytes(file.read())
    for start in range(0, len(numbers), 2 * NODES):
        for node in range(NODES):
            begun[node] += numbers[start + node]
            entered[node] += numbers[start + NODES + node]
    return begun, entered


def read_profile():
    """By node of the book: (count, error); the calls of functions that have none there; the document."""
    text = subprocess.run([decode, "--format=json", "--all", "--by=function", profile], check=True, stdout=subprocess.PIPE).stdout
    document = json.loads(text)
    counts, others, places = {}, 0, []
    for node in document["nodes"]:
        name = document["frames"][node["frame"]]["function"]
        parent = places[node["parent"]] if node["parent"] >= 0 else None
        place = None
        if name == "run":
            place = 0
        elif len(name) == 2 and name[0] == "f" and parent is not None:
            place = parent * 8 + 1 + int(name[1])
        places.append(place)
        if node["count"] is None:
            continue
        if place:
            counts[place] = (node["count"], node["error"])
        elif name in ("main", "thread", "run"):
            others += node["count"]
        elif mode == "cct":
            fail(f"a context of {name} that the program does not have")
    return counts, others, document


def compare():
    begun, entered = read_book()
    flying = sum(begun) - sum(entered)
    if flying > max(threads, 1):
        fail(f"the book itself is wrong: {flying}")
    if not os.path.exists(profile):
        if sum(entered):
            fail("no profile")
        return
    counts, others, document = read_profile()
    calls, dropped = document["calls"], document["dropped"]
    seen["profiles"] += 1
    seen["in flight"] += flying
    seen["calls"] += calls
    lost_chains = dropped["chain"] if mode == "hcct" else 0
    if any(count for kind, count in dropped.items() if kind != "chain" or mode == "cct"):
        fail(f"dropped: {dropped}")
    limit = lost_chains if mode == "cct" else document["epsilon"] * calls + lost_chains
    for node in range(1, NODES):
        count, error = counts.get(node, (0, 0))
        if count - error > begun[node] or (node in counts and count < entered[node]):
            fail(f"node {node}: count {count}, error {error}, begun {begun[node]}, entered {entered[node]}")
        if node not in counts and entered[node] > limit:
            fail(f"node {node}: entered {entered[node]}, and not there")
    if mode == "cct" and calls != sum(count for count, _ in counts.values()) + others:
        fail("the counts do not add up to the calls")
    # main, the threads so far and their run() are in N, not in the book.
    if mode == "cct" and not sum(entered) <= calls - others <= sum(begun):
        fail(f"{calls} calls, {others} of others, the book has {sum(entered)} to {sum(begun)}")
    if mode == "hcct" and not sum(entered) <= calls:
        fail(f"{calls} calls, the book has {sum(entered)}")


random.seed()
kill, slowness = 0, 1.0  # of the machine: learnt from kills that came before there was a profile
while kill < kills or seen["profiles"] < kills // 2:
    profiles = seen["profiles"]
    run_and_kill()
    compare()
    if seen["profiles"] == profiles:
        slowness *= 1.2
    kill += 1
print(f"{kill} kills, {seen['profiles']} profiles, {seen['calls']} calls, {seen['in flight']} in flight")
