"""samples_activations.py PERIOD EXACT ALL-NEW: folded profiles of samples-activations.cpp. Each context of main, work and a function long_… counts its calls times the
period."""
import re
import sys


def counts(path):
    found = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            name, count = line.rsplit(" ", 1)
            found[name] = found.get(name, 0) + int(count)
    return found


period = int(sys.argv[1])
exact, all_new = map(counts, sys.argv[2:])
contexts = [name for name in exact if re.match(r"main|long_|work", name.rsplit(";", 1)[-1])]
kinds = {re.match(r"\w+", name.rsplit(";", 1)[-1])[0] for name in contexts}
assert len(kinds) == 15 and len(contexts) > 40, (sorted(kinds), len(contexts))
wrong = [(name, exact[name], all_new.get(name, 0) / period) for name in contexts if all_new.get(name) != exact[name] * period]
assert not wrong, wrong
