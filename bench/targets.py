"""What hcct set itself, against what was measured: the table "Targets" of docs/performance.md."""
from results import geometric_mean
from variants import VARIANTS

# what, program (None: geometric mean of the real ones), variant and goal compiled file by file, the same for the whole program
TARGETS = [
    ("SQLite", "sqlite", ("hcct", 1.12), ("hcct-lto", 1.08)),
    ("Duktape", "duktape", ("hcct", 1.30), ("hcct-lto", 1.15)),
    ("OCaml's interpreter", "ocaml", ("hcct", 1.30), ("hcct-lto", 1.15)),
    ("objdump", "objdump", ("hcct", 1.10), ("hcct-lto", 1.06)),
    ("loops with few calls: compress", "compress", ("hcct", 1.02), ("hcct-lto", 1.01)),
    ("more contexts than counters: chess", "chess", ("hcct", 1.40), ("hcct-lto", 1.25)),
    ("each call a context: fib", "fib", ("hcct", 8.0), None),
    ("real programs, mode=hcct", None, ("hcct", 1.20), ("hcct-lto", 1.10)),
    ("real programs, ids alone", None, ("ids", 1.08), ("ids-lto", 1.05)),
    ("real programs, metric=time", None, ("time", 1.15), ("time-lto", 1.08)),
]


def reached(views, program, target):
    """[goal, time, instructions] as text; a value that is above the goal says so."""
    if not target:
        return ["", "", ""]
    variant, goal = target
    base = VARIANTS[variant].base
    chosen = [view for view in views if (view.real if program is None else view.name == program)]
    values = [geometric_mean([measure(view) for view in chosen]) for measure in
              (lambda view: view.ratio(variant, base), lambda view: view.instructions(variant, base))]
    return [f"{goal:.2f}"] + ["" if not value else f"{value:.2f}" if round(value, 2) <= goal else f"{value:.2f}, missed" for value in values]


def costlier(views, other):
    """The programs on which mode=hcct takes over a twentieth more processor time, user and system, than a peer; each against its own base."""
    pairs = [(view.name, view.ratio("hcct", "plain", True), view.ratio(other, VARIANTS[other].base, True)) for view in views]
    known = [pair for pair in pairs if None not in pair]
    return ", ".join(name for name, ours, theirs in known if ours > 1.05 * theirs) or ("none" if known else "not measured")


def targets_report(views):
    lines = ["| | goal | time | instructions | goal, whole program | time | instructions |", "|---|---:|---:|---:|---:|---:|---:|"]
    for what, program, separate, whole in TARGETS:
        lines.append("| " + " | ".join([what, *reached(views, program, separate), *reached(views, program, whole)]) + " |")
    return "\n".join(lines) + (
        "\n\nmode=hcct is to take less than other profilers that see each call, everywhere. The programs on which it takes over a twentieth more processor time: than "
        f"gcc -pg, {costlier(views, 'gprof')}; than -finstrument-functions-after-inlining + CCT, {costlier(views, 'after-cct')}; than "
        f"-finstrument-functions + CCT, {costlier(views, 'cyg-cct')}.\n")
