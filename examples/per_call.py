"""How long a call takes on average, by context: the time of one run with metric=clock by the calls of another one.

    hcct-cc --hcct-clock -O2 -gline-tables-only examples/time.c -o time
    HCCT_OPTIONS=metric=clock:mode=cct:output=clock.bin ./time && hcct-decode --all --format=json -o clock.json clock.bin
    HCCT_OPTIONS=metric=calls:mode=cct:output=calls.bin ./time && hcct-decode --all --format=json -o calls.json calls.bin
    python3 examples/per_call.py clock.json calls.json
"""
import json
import sys


def contexts(path):
    """{path of functions and call sites: [names, own count, count with all below]}, parents first."""
    with open(path, encoding="utf-8") as file:
        profile = json.load(file)
    keys, found = [], {}
    for node in profile["nodes"]:
        frame, above = profile["frames"][node["frame"]], keys[node["parent"]] if node["parent"] >= 0 else ()
        keys.append(above + ((frame["linkage"] or frame["function"], node["site"] and node["site"]["id"]),))
        found[keys[-1]] = [(found[above][0] if above else ()) + (frame["function"],), node["count"] or 0, node["count"] or 0]
    for key in reversed(keys):  # children before parents
        if key[:-1]:
            found[key[:-1]][2] += found[key][2]
    return found


def main():
    times, calls = contexts(sys.argv[1]), contexts(sys.argv[2])
    print(f"{'calls':>12} {'ns a call':>12} {'its own':>12}  context")
    for key, (names, own, total) in sorted(times.items(), key=lambda item: -item[1][2]):
        count = calls[key][1] if key in calls else 0
        if own and count:
            print(f"{count:12} {total / count:12.0f} {own / count:12.0f}  {';'.join(names)}")


if __name__ == "__main__":
    main()
