"""What a profile (json, from stdin) of a program that makes CALLS calls says that it lacks, which is what it does lack. usage: lacks.py CALLS"""
import json
import sys

profile, calls = json.load(sys.stdin), int(sys.argv[1])
there, lacks = sum(node["count"] or 0 for node in profile["nodes"]), sum(profile["dropped"].values())
assert profile["calls"] == calls and there + lacks == calls and there > 10000, (profile["calls"], there, profile["dropped"])
print(f"{lacks} of {calls} calls are not there")
