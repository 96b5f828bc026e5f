"""Tables and charts of what bench.py measured, as text for the documents."""
import os

import charts
import data
import shell
from results import View, geometric_mean
from modes import modes_table
from programs import PROGRAMS
from shell import source
from targets import targets_report
from variants import VARIANTS

MAIN = [("hcct", "plain"), ("cct", "plain"), ("ids", "plain"), ("after-cct", "plain"), ("gprof", "gcc"), ("gprof", "plain")]
WHOLE = [("lto", "plain"), ("hcct-lto", "lto"), ("cct-lto", "lto"), ("ids-lto", "lto")]
TOOLS = [("after-empty", "plain"), ("cyg-cct", "plain"), ("clang-pg", "plain"), ("perf", "plain"), ("xray", "plain"), ("uftrace", "plain"), ("callgrind", "plain")]
INSTRUCTIONS = [*MAIN[:5], *WHOLE]  # valgrind does not survive the timer of gcc -pg
COSTS = [("hcct", "plain"), ("hcct-lto", "lto")]
README = [("hcct", "plain"), ("hcct-lto", "lto"), ("ids-lto", "lto"), ("after-cct", "plain"), ("gprof", "plain")]
SIZES = ["hcct", "cct", "after-cct", "gprof", "perf", "xray", "uftrace", "callgrind"]
BUILDS = [("hcct", "plain"), ("hcct-lto", "lto"), ("after-cct", "plain"), ("gprof", "gcc"), ("xray", "plain")]
CHART = ["hcct", "hcct-lto", "after-cct", "gprof"]
KB, MB = 1 << 10, 1 << 20
FOOTNOTES = {"plain": "", "gcc": " ÷ gcc -O2", "lto": " ÷ -flto"}


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def title(name, base):
    return VARIANTS[name].title + FOOTNOTES[base]


def cell_or_error(view, name, text):
    if text is not None:
        return text
    return "fails" if name in view.known["errors"] else ""


# --- time --------------------------------------------------------------------------------------


def time_cell(view, name, base, spread=True):
    """Median (least–greatest) of user time; with system time too, where that tells something else."""
    compared = view.compared(name, base)
    if not compared:
        return cell_or_error(view, name, None)
    (middle, least, greatest), total = compared["user"], compared["total"]
    text = f"{middle:.2f}"
    if spread and compared["rounds"] > 1:
        text += f" ({least:.2f}–{greatest:.2f})"
    return text + (f", {total:.2f} with system" if abs(total - middle) > 0.1 * middle else "")


def mean_row(views, columns, value):
    """Geometric means over the real programs, where all of them have a value."""
    real = [view for view in views if view.real]
    means = [geometric_mean([value(view, name, base) for view in real]) for name, base in columns]
    if len(real) < 2 or not any(means):
        return []
    return [[f"geometric mean of {', '.join(view.name for view in real)}", ""] + [f"{mean:.2f}" if mean else "" for mean in means]]


def time_table(views, columns, spread=True, base="plain"):
    rows = []
    for view in views:
        plain = view.of(base, "user_s")
        rows.append([view.title, f"{plain:.2f}" if plain else ""] + [time_cell(view, name, other, spread) for name, other in columns])
    rows += mean_row(views, columns, lambda view, name, other: view.ratio(name, other))
    return table(["program", VARIANTS[base].title + ", s"] + [title(*column) for column in columns], rows)


def quick_table(view, names):
    """What the terminal shows of one program."""
    return time_table([view], [(name, VARIANTS[name].base or "plain") for name in names if name != "plain"])


def instruction_table(views):
    rows, value = [], lambda view, name, base: view.instructions(name, base)
    columns = [column for column in INSTRUCTIONS if any(view.instructions(*column) for view in views)]
    for view in views:
        ratios = [view.instructions(*column) for column in columns]
        if any(ratios):
            rows.append([view.title, f"{view.known['instructions']['plain']['count'] / 1e6:.1f}"] + [f"{ratio:.2f}" if ratio else "" for ratio in ratios])
    rows += mean_row(views, columns, value)
    return table(["program", "clang -O2, millions"] + [title(*column) for column in columns], rows)


def cost_table(views):
    """Of a call, what is in line and what is the runtime's."""
    rows, parts = [], [("in line", "in line"), ("pushes", "pushes, pops, entries"), ("misses", "misses of slots"), ("ends", "start and end")]
    for view in views:
        for variant, base in COSTS:
            if told := view.costs(variant, base):
                rows.append([view.title, VARIANTS[variant].title, f"{told[0] / 1e6:.2f}", f"{view.known['instructions'][base]['count'] / told[0]:.0f}"] +
                            [f"{told[1].get(part, 0):.1f}" for part, _ in parts])
    return table(["program", "built", "calls, millions", "plain, a call"] + [name for _, name in parts], rows) if rows else ""


# --- space -------------------------------------------------------------------------------------


def number(value):
    return f"{value:.1f}" if abs(value) < 100 else f"{value:.0f}"


def of_base(view, name, field):
    """The base's median on the workload that the variant got."""
    base = VARIANTS[name].base
    return view.compared(name, base).get("base_peak_mb") if field == "peak_mb" else view.of(base, field)


def empty_table(views):
    """What starting and ending cost, alone."""
    rows = []
    for view in views:
        told = {name: view.known["instructions"].get(name, {}).get("empty") for column in COSTS for name in column}
        if not all(told.values()):
            continue
        row = [view.title, f"{told['plain']['count'] / 1e6:.2f}"]
        for variant, base in COSTS:
            row += [f"{(told[variant]['count'] - told[base]['count']) / 1e6:.2f}", f"{told[variant]['profile_bytes'] / KB:.1f}"]
        rows.append(row)
    titles = [text for variant, _ in COSTS for text in (f"+ {VARIANTS[variant].title}, millions", "its profile, KB")]
    return table(["program", "clang -O2, millions"] + titles, rows) if rows else ""


def added_table(views, names, field, unit, plain_too=True, scale=1):
    """What a variant has more than its base: medians, on the workload that the variant got."""
    rows = []
    for view in views:
        plain = view.of("plain", field)
        row = [view.title] + ([number(plain / scale) if plain is not None else ""] if plain_too else [])
        for name in names:
            ours, theirs = view.of(name, field), of_base(view, name, field) if plain_too else 0
            row.append(cell_or_error(view, name, None if ours is None or theirs is None else number((ours - theirs) / scale)))
        rows.append(row)
    head = [f"clang -O2, {unit}"] if plain_too else []
    return table(["program"] + head + [("+ " if plain_too else "") + VARIANTS[name].title for name in names], rows)


def build_cell(known, name, base, field, less):
    """The ratio, and in brackets what it is without the part that the field `less` has."""
    ours, theirs = (known.get(VARIANTS[one].build, {}) for one in (name, base))
    if not (ours.get(field) and theirs.get(field)):
        return ""
    part = ours.get(less, 0)
    return f"{ours[field] / theirs[field]:.2f}" + (f" ({(ours[field] - part) / theirs[field]:.2f})" if part else "")


def build_table(views, field, unit, scale=1, less=None):
    rows = []
    for view in views:
        known = view.known["builds"]
        plain = known.get(VARIANTS["plain"].build, {}).get(field)
        rows.append([view.title, number(plain / scale) if plain else ""] + [build_cell(known, name, base, field, less) for name, base in BUILDS])
    return table(["program", f"clang -O2, {unit}"] + [title(*column).replace(", mode=hcct", "") for column in BUILDS], rows)


# --- charts ------------------------------------------------------------------------------------


def bars(folder, name, heading, groups, series, label):
    """Writes a chart of ratios, unless there is no folder for it; the line of the document that shows it."""
    values = [value for group in groups.values() for value in group if value]
    if not values or not folder:
        return ""
    axis = charts.Axis(label, 1, max(2, max(values) * 1.05)) if max(values) < 8 else charts.logarithmic_axis(label, [1, *values], lambda value: f"{value:g}x")
    os.makedirs(folder, exist_ok=True)
    shell.write(os.path.join(folder, name + ".svg"), charts.bar_chart(heading, axis, "", groups, series))
    return f"![{heading}]({name}.svg)\n\n"


def short_title(name):
    return {"hcct": "hcct", "hcct-lto": "hcct -flto", "after-cct": "hooks + CCT", "gprof": "gcc -pg", "lto": "-flto"}.get(name, name)


def time_chart(folder, views, name, heading):
    groups = {view.name: [view.ratio(variant, VARIANTS[variant].base) for variant in CHART] for view in views}
    return bars(folder, name, heading, groups, [short_title(variant) for variant in CHART], "user time, plain = 1")


def instruction_chart(folder, views, name, heading):
    shown = ["hcct", "hcct-lto", "cct", "after-cct"]
    groups = {view.name: [view.instructions(variant, VARIANTS[variant].base) for variant in shown] for view in views if view.known["instructions"]}
    return bars(folder, name, heading, groups, [short_title(variant) for variant in shown], "instructions, plain = 1")


# --- the documents -----------------------------------------------------------------------------


def failures(views):
    """Which variants fail on which programs, and what they say."""
    found, shown = {}, {name for name, _ in MAIN + WHOLE + TOOLS}
    for view in views:
        for name, text in ((name, text) for name, text in view.known["errors"].items() if name in shown):
            found.setdefault((VARIANTS[name].title, text.partition(":")[0]), []).append(view.name)
    return "".join(f"- {name} ({'all programs' if len(where) == len(views) else ', '.join(where)}): {text}\n" for (name, text), where in found.items())


def levels_of(views):
    """Which programs' main variants were measured on long workloads, and which on short ones."""
    by_level = {}
    for view in views:
        by_level.setdefault(view.of("hcct", "level"), []).append(view.name)
    return "; ".join(f"{level}: {', '.join(names)}" for level, names in by_level.items() if level)


def machines_of(views):
    """Which programs were timed where."""
    names = {}
    for view in views:
        machine = view.known["machine"]
        names.setdefault(f"{machine['processor']}, {machine['processors']} processors, Linux {machine['kernel']}, {', '.join(machine['compilers'])}", []).append(view.name)
    return next(iter(names)) if len(names) == 1 else "; ".join(f"{', '.join(where)}: {machine}" for machine, where in names.items())


def how_it_was_measured(views):
    runs = [run for view in views for run in view.runs()]
    if not runs:
        return "No times are there yet.\n\n"
    timed = [view for view in views if view.rounds]
    counts = sorted({view.rounds for view in timed})
    days = sorted({min(run["first"] for run in runs), max(run["last"] for run in runs)})
    commits, commands = (sorted({run[field] for run in runs}) for field in ("commit", "command"))
    made = f"`{'`, `'.join(commands)}`" if len(commands) < 4 else f"{len(commands)} commands, which bench/results.json has (\"runs\")"
    older = [view.name for view in timed if view.known.get("version") != data.VERSION]
    note = f" Of {', '.join(older)}, both runs of a ratio were somewhere in one round, not beside each other." if older else ""
    return (f"Medians of {'–'.join(str(count) for count in sorted({counts[0], counts[-1]}))} interleaved rounds (least–greatest), "
            f"each on the longest workload that it was measured on ({levels_of(views)}). {' to '.join(days)}; {machines_of(timed)}; commit {', '.join(commits)}; "
            f"made by {made}.{note}\n\n")


def report(results, folder=None):
    """All tables; charts go to the folder."""
    views = views_of(results)
    real, ours = [view for view in views if view.real], [view for view in views if not view.real]
    timed, large = [view for view in views if view.rounds], real or views
    text = how_it_was_measured(views)
    if timed:
        text += time_chart(folder, [v for v in real if v in timed], "real", "Real programs: user time")
        text += time_chart(folder, [v for v in ours if v in timed], "own", "Our own programs: user time")
        text += "### Targets\n\n" + targets_report(timed)
        text += "\n### Time, compiled file by file\n\n" + time_table(timed, MAIN)
        text += "\n### Time, whole program (-flto)\n\n" + time_table(timed, WHOLE)
        text += "\n### Time, other tools\n\n" + time_table(large, TOOLS, spread=False)
        text += "\n### Peak memory, MB\n\n" + added_table(timed, SIZES, "peak_mb", "MB")
        text += "\n### Size of the profile, KB\n\n" + added_table(large, SIZES, "profile_bytes", "KB", plain_too=False, scale=KB)
    text += "\n### Size of the code (section .text; in brackets without the runtime)\n\n" + build_table(large, "text_bytes", "KB", KB, "runtime_bytes")
    text += "\n### Time to compile and link\n\n" + build_table(large, "compile_s", "s")
    if failures(views):
        text += "\n### What fails, and how\n\n" + failures(views)
    return text


def instruction_report(results, folder=None):
    views = [view for view in views_of(results) if view.known["instructions"]]
    if not views:
        return ""
    commits = sorted({one["commit"] for view in views for one in view.known["instructions"].values()})
    spent = cost_table([view for view in views if view.real] or views)
    spent = "\n### Where they go: instructions of a call more than without profiling\n\n" + spent if spent else ""
    alone = empty_table([view for view in views if view.real] or views)
    spent += "\n### Start and end: instructions of a run that has next to nothing to do\n\n" + alone if alone else ""
    return (instruction_chart(folder, views, "instructions", "Instructions that were run") + instruction_table(views) + spent +
            f"\nCommit {', '.join(commits)}; made by `scripts/bench --instructions`.\n")


def views_of(results):
    return [View(name, results.programs[name]) for name in PROGRAMS if name in results.programs]


def write_documents(results):
    """What is there; a document keeps what it has where nothing was measured."""
    folder = os.path.dirname(shell.TABLES)
    timed = [view for view in views_of(results) if view.rounds]
    if timed:
        shell.write_document(shell.TABLES, report(results, folder))
        shell.write_document(source("README.md"), time_table([view for view in timed if view.real] or timed, README, spread=False))
    if any(view.known["instructions"] for view in views_of(results)):
        shell.write_document(shell.TABLES, instruction_report(results, folder), "instructions")
    if modes := modes_table(views_of(results)):
        shell.write_document(source("docs", "metrics.md"), modes)
