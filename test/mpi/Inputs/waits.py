"""Rank 0 waits in MPI_Recv, and rank 1 never does: the spread says so."""
import json
import sys

with open(sys.argv[1]) as file:
    profile = json.load(file)
found = [node for node in profile["nodes"] if profile["frames"][node["frame"]]["function"] == "[MPI_Recv]"]
assert len(found) == 1, found
spread = found[0]["spread"]
assert spread["max_at"] == "rank 0" and spread["min_at"] == "rank 1" and spread["min_high"] == 0 and spread["absent"] == 1, spread
