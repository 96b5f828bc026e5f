"""What known= costs: instructions of runs whose contexts are all known, or all new, beside those of runs that do not ask.

Counted by callgrind, start and end included. What is added is divided by the number of contexts, because a call that hits its slot does nothing for it.
"""
import os
import sys

import lab
import pcc
import programs
import report
import shell

MODES = ["cct", "hcct"]


def subjects():
    own = programs.PROGRAMS
    duktape = lab.duktape("duktape.js")
    duktape.workloads["lab"] = programs.duktape().workloads["tiny"]
    layers = lab.own("layers", "20000", suffix=".cpp")
    return [lab.Subject("duktape", duktape), lab.Subject("sqlite", programs.sqlite(), workload="tiny"),
            lab.Subject("parser", own["parser"](), workload="tiny"), lab.Subject("virtual", own["virtual"](), workload="tiny"), lab.Subject("chess", own["chess"](), workload="tiny"),
            lab.Subject("layers", layers)]


def measure_one(subject):
    print(f"{subject.name}: known", file=sys.stderr)
    path, out = (os.path.join(lab.FOLDER, name) for name in ("known.bin", "new.bin"))
    built = lab.build_subject(subject, "hcct")
    lab.run(subject, built, "mode=cct", "known.bin")
    shape = lab.shape(path)
    found = {"name": subject.name, "contexts": shape["contexts"], "calls": shape["calls"], "known_bytes": os.path.getsize(path)}
    for mode in MODES:
        for name, options in (("without", ""), ("known", f":known='{path}'"), ("new", ":known=none")):
            environment = dict(os.environ, LC_ALL="C", HCCT_OPTIONS=f"output='{out}':mode={mode}{options}")
            found[f"{mode} {name}"] = lab.callgrind([pcc.stripped(built), *subject.arguments], environment, stdin=subject.stdin)[0]
    return found


def measure():
    return [measure_one(subject) for subject in subjects()]


def write(data):
    rows = []
    for found in data:
        cells = [found["name"], report.count(found["calls"]), report.count(found["contexts"]), f"{found['known_bytes'] / 1e6:.2f}"]
        for mode in MODES:
            without = found[f"{mode} without"]
            cells.append(f"{without / 1e6:.1f}")
            for name in ("known", "new"):
                more = found[f"{mode} {name}"] - without
                cells.append(f"+{100 * more / without:.2f}% ({more / found['contexts']:.0f})")
        rows.append(cells)
    titles = ["program", "calls", "contexts", "FILE, MB"]
    titles += [text for mode in MODES for text in (f"`mode={mode}`, millions", "all known", "all new")]
    text = report.table(titles, rows) + "\nInstructions of whole runs, start and end included; in brackets what is added for each context of the run.\n"
    shell.write_document(shell.TABLES, text, "known")
