"""What the checks of inferred profiles read: a program's own book, and a profile (json)."""
import json


def read_book(file):
    """path -> samples"""
    with open(file, encoding="utf-8") as lines:
        return {line.split()[0]: int(line.split()[1]) for line in lines}


def read_profile(file):
    """All samples, and path -> (count, error)."""
    with open(file, encoding="utf-8") as text:
        profile = json.load(text)
    names, found = [], {}
    for node in profile["nodes"]:
        above = names[node["parent"]] + ";" if node["parent"] >= 0 else ""
        names.append(above + profile["frames"][node["frame"]]["function"])
        if node["count"]:
            found[names[-1]] = (node["count"], node["error"])
    return profile["calls"], found
