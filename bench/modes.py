"""The table of docs/metrics.md: what each mode tells, what it costs, and when to use it."""
import statistics

from results import geometric_mean

# variant of variants.py, how to get it, what it tells, when to use it
MODES = [
    ("hcct", "(default)", "every context, exactly, as long as 200,000 are enough; then those with at least `phi` of the calls, to within `epsilon`", "which chains of calls are hot, in bounded memory, however long the run"),
    ("cct", "`mode=cct`", "every context, exactly", "tests, coverage, short runs; programs whose contexts fit in memory"),
    ("fold", "`recursion=fold`", "the same as the default, recursive contexts merged", "deep recursion whose depths do not matter"),
    ("snapshot", "`snapshot=100ms`", "the same as the default, while the program runs", "servers; 100 ms is for this table: `60s` costs less"),
    ("ids", "`counting=off`", "nothing, until `hcct_start()`; `hcct_context()` works", "contexts in log lines; counting parts of a run"),
    ("clock", "`metric=clock`, built with `--hcct-clock`", "time from entry to exit of each call, waiting included, exact", "rare and long functions, named in a file; here all functions are measured"),
]


def times(ratios):
    """Geometric mean (least-greatest) of the programs."""
    if not ratios:
        return ""
    spread = f" ({min(ratios):.2f}–{max(ratios):.2f})" if len(ratios) > 1 else ""
    return f"{geometric_mean(ratios):.2f}{spread}"


def modes_table(views):
    """Of the programs on which every mode was measured, the real ones if there are any. Empty if there are none."""
    measured = [view for view in views if all(view.ratio(name, "plain") or name in view.known["errors"] for name, *_ in MODES)]
    measured = [view for view in measured if view.real] or measured
    if not measured:
        return ""
    lines = ["| `HCCT_OPTIONS` | what it tells | user time | instructions | memory, MB | profile, KB | when |", "|---|---|---:|---:|---:|---:|---|"]
    for name, how, tells, when in MODES:
        known = [view for view in measured if view.ratio(name, "plain")]
        counted = [view.instructions(name, "plain") for view in known if view.instructions(name, "plain")]
        memory = [view.of(name, "peak_mb") - view.of("plain", "peak_mb") for view in known]
        profile = [view.of(name, "profile_bytes") / 1024 for view in known]
        cells = [times([view.ratio(name, "plain") for view in known]), times(counted), f"{statistics.median(memory):.1f}" if known else "fails", f"{statistics.median(profile):.0f}" if known else ""]
        lines.append("| " + " | ".join([how, tells, *cells, when]) + " |")
    commands = sorted({run["command"] for view in measured for run in view.runs("clock")})
    return "\n".join(lines) + (
        f"\n\nTimes and instructions are ratios to `clang -O2`: geometric means over {', '.join(view.title for view in measured)} (least–greatest of these); memory and profile are medians. "
        f"Made by `{'`, `'.join(commands)}` and `scripts/bench --instructions --variants=modes`.\n")
