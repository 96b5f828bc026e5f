"""Reads what hcct-decode --format=json --all prints, context by context, for the oracles here."""
import json


class Contexts:
    """Gives each context one number, the same in every profile that was read."""

    def __init__(self):
        self.numbers, self.steps = {}, []

    def number(self, parent, step):
        return self.numbers.setdefault((parent, step), len(self.numbers))

    def read(self, path):
        with open(path) as file:
            profile = json.load(file)
        places, counts, errors, hot, parents = [], {}, {}, set(), {}
        for node in profile["nodes"]:
            frame, site = profile["frames"][node["frame"]], node["site"]
            parent = places[node["parent"]] if node["parent"] >= 0 else -1
            step = (frame["kind"], frame["linkage"], frame["function"], frame["file"], frame["line"])
            step += (site and (site["id"], site["file"], site["line"], site["column"]),)
            context = self.number(parent, step)
            places.append(context)
            parents[context] = (parent, frame["kind"])
            if node["count"] is not None:
                counts[context] = counts.get(context, 0) + node["count"]
                errors[context] = errors.get(context, 0) + node["error"]
        return Profile(profile, counts, errors, parents)


class Profile:
    def __init__(self, profile, counts, errors, parents):
        self.head, self.counts, self.errors, self.parents = profile, counts, errors, parents
        self.calls = profile["calls"]
