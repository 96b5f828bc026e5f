"""usage: chainless.py FOLDER-OF-profile.py A B    writes two profiles of different builds; in A, floor 3, an entry of 50 calls has no chain
       chainless.py < JSON    checks their sum: what B counted 200 times has 200 to 250 calls, and what A counted has its own and B's floor"""
import json
import sys


def write(folder, a, b):
    sys.path.insert(0, folder)
    import profile as generator
    for path, floor, functions in ((a, 3, ["main"]), (b, 7, ["main", "more"])):
        profile = generator.Profile(calls=1000, mode=0, floor=floor, dropped_chain=50 if path == a else 0, build_id=1 if path == a else 2)
        for name in functions:
            profile.function(name)
        if path == a:
            profile.count(3, 950)
            profile.count(12345678, 50, prefix=generator.NONE)
        else:
            profile.site(0, 1, 1)
            profile.count(3, 800)
            profile.count(4, 200)
        profile.write(path)


def check(report):
    counts = {report["frames"][node["frame"]]["function"]: (node["count"], node["error"]) for node in report["nodes"]}
    assert counts["more"] == (250, 50), counts
    assert counts["main"] == (1750, 0), counts


if len(sys.argv) > 1:
    write(*sys.argv[1:])
else:
    check(json.load(sys.stdin))
