"""Takes results from rounds that are short enough to be worked out by hand. results.py BENCH RESULTS"""
import sys

sys.path.insert(0, sys.argv[1])
import results  # noqa: E402
import tables  # noqa: E402

HERE, ELSEWHERE = ({"processor": name, "processors": 2, "kernel": "6", "compilers": ["clang", "gcc"]} for name in ("here", "elsewhere"))


def cell(user, system=0.0, peak=1.0, profile=0):
    return [user, system, user + system, peak, profile]


def one_round(day, runs, command="scripts/bench x"):
    return {"date": day, "commit": "abc", "command": command, "runs": runs}


def beside_plain(name, ours, theirs):
    return {"plain long": [[f"{name} long", ours], ["plain long", theirs]]}


def known(*rounds, errors=()):
    return {"title": "X", "real": True, "rounds": list(rounds), "errors": dict(errors), "builds": {"hcct": {"compile_s": 1.5, "text_bytes": 7, "runtime_bytes": 2}},
            "instructions": {"hcct": {"count": 300, "parts": {}, "stamp": "s", "commit": "abc", "empty": {"count": 2500000, "profile_bytes": 3072}},
                             "hcct-lto": {"count": 300, "parts": {}, "stamp": "s", "commit": "abc", "empty": {"count": 1750000, "profile_bytes": 512}},
                             "lto": {"count": 300, "parts": {}, "stamp": "s", "commit": "abc", "empty": {"count": 250000, "profile_bytes": 0}},
                             "plain": {"count": 200, "parts": {}, "stamp": "s", "commit": "abc", "empty": {"count": 500000, "profile_bytes": 0}}}}


def same(found, expected):
    if found != expected:
        sys.exit(f"{found!r} instead of {expected!r}")


def take(machine, name, data, variants):
    """As a run of scripts/bench does; and again from the file."""
    store = results.Results(sys.argv[2])
    store.take_times(machine, name, data, variants)
    store.take_instructions(name, data, variants)
    store.take_builds(name, data, variants)
    store.save()
    return results.Results(sys.argv[2])


def view_of(store, name="x"):
    return results.View(name, store.programs[name])


# hcct's short workload does not count, as it has a long one; in the third round its run is not beside a long plain one, so there is no ratio.
three = known(one_round("2026-01-02", {**beside_plain("hcct", cell(3.0, 1.0, 5.0, 10), cell(2.0, peak=1.0)), "plain short": [["hcct short", cell(9.0)], ["plain short", cell(1.0)]],
                                       "": [["hcct empty", cell(0.25, 0.5)]]}),
              one_round("2026-01-01", beside_plain("hcct", cell(4.0, 1.0, 7.0, 30), cell(1.0, 1.0, 2.0))),
              one_round("2026-01-03", {"plain long": [["hcct long", cell(8.0, 0.0, 6.0, 20)], ["ids long", None], ["plain long", None]]}, "scripts/bench y"),
              errors={"perf": "no perf"})
view = view_of(take(HERE, "x", three, ["plain", "hcct", "perf"]))
same((view.title, view.real, view.rounds, view.known["errors"]), ("X", True, 3, {"perf": "no perf"}))
same([view.of("hcct", field) for field in ("level", "user_s", "peak_mb", "profile_bytes", "empty_s")], ["long", 4.0, 6.0, 20, 0.75])
same(view.compared("hcct", "plain"), {"rounds": 2, "user": [2.75, 1.5, 4.0], "total": 2.25, "base_peak_mb": 1.5})
same((view.ratio("hcct", "plain"), view.ratio("hcct", "plain", system=True), view.ratio("cct", "plain")), (2.75, 2.25, None))
same((view.instructions("hcct", "plain"), view.known["builds"]["hcct"]["text_bytes"]), (1.5, 7))
same([(run["command"], run["first"], run["last"]) for run in view.runs("hcct")],
     [("scripts/bench x", "2026-01-01", "2026-01-02"), ("scripts/bench y", "2026-01-03", "2026-01-03")])

# Starting and ending alone: what is more than without profiling, if all of it was counted.
same(tables.empty_table([view]), "")
view = view_of(take(HERE, "x", three, ["plain", "hcct", "lto", "hcct-lto"]))
same(tables.empty_table([view]).splitlines()[-1], "| X | 0.50 | 2.00 | 3.0 | 1.50 | 0.5 |")

# A new copy of the sources has no rounds: what it measures replaces its lines, and the others stay.
view = view_of(take(HERE, "x", known(one_round("2026-02-01", beside_plain("ids", cell(1.25), cell(1.0)))), ["plain", "ids", "perf"]))
same((view.ratio("ids", "plain"), view.of("plain", "user_s"), view.ratio("hcct", "plain"), view.known["errors"]), (1.25, 1.0, 2.75, {}))
view = view_of(take(HERE, "x", known(errors={"ids": "ended with signal 11"}), ["ids"]))
same((view.ratio("ids", "plain"), view.ratio("hcct", "plain"), view.known["errors"]), (None, 2.75, {"ids": "ended with signal 11"}))

# Times of two machines do not stand in a row; instructions are the same everywhere.
take(HERE, "y", known(one_round("2026-03-01", beside_plain("hcct", cell(3.0), cell(1.0)))), ["plain", "hcct"])
store = take(ELSEWHERE, "y", known(one_round("2026-03-02", beside_plain("ids", cell(2.0), cell(1.0)))), ["plain", "ids"])
same([view_of(store, name).known["machine"] for name in "xy"], [HERE, ELSEWHERE])
same((view_of(store).ratio("hcct", "plain"), view_of(store, "y").ratio("hcct", "plain"), view_of(store, "y").ratio("ids", "plain")), (2.75, None, 2.0))
same((view_of(store, "y").rounds, view_of(store, "y").instructions("hcct", "plain")), (1, 1.5))

# Neither do ratios that were measured in another order of runs; a table with some says so.
store = results.Results(sys.argv[2])
del store.programs["y"]["version"]
store.save()
note = "Of y, both runs of a ratio were somewhere in one round, not beside each other."
same(note in tables.how_it_was_measured([view_of(results.Results(sys.argv[2]), name) for name in "xy"]), True)
store = take(ELSEWHERE, "y", known(one_round("2026-03-03", beside_plain("hcct", cell(5.0), cell(1.0)))), ["plain", "hcct"])
same((view_of(store, "y").ratio("hcct", "plain"), view_of(store, "y").ratio("ids", "plain"), note in tables.how_it_was_measured([view_of(store, "y")])), (5.0, None, False))
