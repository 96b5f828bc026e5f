"""What hcct set itself, against what was measured: the table "Targets" of docs/performance/tables.md."""
from results import geometric_mean
from variants import VARIANTS

# what, program (None: geometric mean of the real ones); compiled file by file, and the whole program: variant, goal, and the goal of instructions if it is another
TARGETS = [
    ("SQLite", "sqlite", ("hcct", 1.12), ("hcct-lto", 1.08)),
    ("Duktape", "duktape", ("hcct", 1.30), ("hcct-lto", 1.15)),
    ("OCaml's interpreter", "ocaml", ("hcct", 1.30), ("hcct-lto", 1.15)),
    ("C in many files: objdump", "objdump", ("hcct", 1.06), ("hcct-lto", 1.06)),
    ("C in many files: gawk", "gawk", ("hcct", 1.25), None),
    ("C++: libsass", "libsass", ("hcct", 1.50), ("hcct-lto", 1.20)),
    ("C++: virtual", "virtual", ("hcct", 2.00), None),
    ("calls through tables: dispatch", "dispatch", ("hcct", 2.00), None),
    ("loops with few calls: compress", "compress", ("hcct", 1.02), ("hcct-lto", 1.01)),
    ("more contexts than counters: chess", "chess", ("hcct", 1.40), ("hcct-lto", 1.25)),
    ("recursion: fib", "fib", ("hcct", 5.00), None),
    ("real programs, mode=hcct", None, ("hcct", 1.15, 1.28), ("hcct-lto", 1.08, 1.20)),
    ("real programs, ids alone", None, ("ids", 1.10), ("ids-lto", 1.06)),
]


def reached(views, program, target):
    """[goal, time, instructions] as text; a value that is above its goal says so."""
    if not target:
        return ["", "", ""]
    variant, *goals = target
    base, goals = VARIANTS[variant].base, (goals * 2)[:2]
    chosen = [view for view in views if (view.real if program is None else view.name == program)]
    values = [geometric_mean([measure(view) for view in chosen]) for measure in
              (lambda view: view.ratio(variant, base), lambda view: view.instructions(variant, base))]
    told = " / ".join(f"{goal:.2f}" for goal in dict.fromkeys(goals))
    return [told] + ["" if not value else f"{value:.2f}" if round(value, 2) <= goal else f"{value:.2f}, missed" for value, goal in zip(values, goals)]


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
        "\n\nOf two goals, the second is that of instructions. "
        "mode=hcct is to take less than other profilers that see each call, everywhere. The programs on which it takes over a twentieth more processor time: than "
        f"gcc -pg, {costlier(views, 'gprof')}; than -finstrument-functions-after-inlining + CCT, {costlier(views, 'after-cct')}; than "
        f"-finstrument-functions + CCT, {costlier(views, 'cyg-cct')}.\n")
