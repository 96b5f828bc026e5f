"""Compares docs/options.md and the man pages with what the programs say of themselves and with the source.

usage: check_options.py SOURCE BIN RUN-TIME-HELP
"""
import os
import re
import subprocess
import sys

OPTION = r"(?<![\w-])--?[a-zA-Z][a-z-]*"
PAGES = {"hcct-cc": "wrapper", "hcct-heights": "heights/commands"}
wrong = False


def read(*parts):
    with open(os.path.join(*parts), encoding="utf-8") as file:
        return file.read()


def compare(title, wanted, others):
    """`wanted` is what the code has."""
    global wrong
    if not wanted:
        wrong = True
        print(f"{title}: the code seems to have none: is this test out of date?")
    for name, found in others.items():
        for option in sorted(wanted - found):
            wrong = True
            print(f"{title}: {option} is not in {name}")
        for option in sorted(found - wanted):
            wrong = True
            print(f"{title}: {option} is in {name}, but not in the code")


def rows(heading):
    """The cells of the rows under a heading, up to the next one."""
    section = document.split(f"\n## {heading}\n")[1].split("\n## ")[0] if f"\n## {heading}\n" in document else ""
    return [[cell.strip() for cell in line.split(" | ")] for line in section.splitlines() if line.startswith("| `")]


def spans(cells):
    return {span.split("=")[0] for cell in cells for span in re.findall(r"`([^`]+)`", cell)}


source, programs, run_time = sys.argv[1], sys.argv[2], read(sys.argv[3])
document = read(source, "docs", "options.md")
help_of = lambda command: subprocess.run([os.path.join(programs, command), "--help" if command in ("hcct-cc", "hcct") else "--help=all"], stdout=subprocess.PIPE, text=True, check=True).stdout.split("\nAll other options are")[0]
manual = lambda command: read(source, PAGES.get(command, "decoder/commands"), command + ".1").replace("\\-", "-")

table = read(source, "runtime", "start", "options.c").split("} keys[] = {")[1].split("\n};")[0]
compare("HCCT_OPTIONS", set(re.findall(r'\{\s*"(\w+)",\s*\w*read_', table)), {
    "docs/options.md": spans(row[0] for row in rows("Run time")),
    "HCCT_OPTIONS=help=1": set(re.findall(r"^hcct:   (\w+)  ", run_time, re.M)),
})

# The names of values: format/names.def is where the code has them from.
names = read(source, "format", "names.def")
for list_, key in [("MODE", "mode"), ("METRIC", "metric"), ("RECURSION", "recursion"), ("THREADS", "threads")]:
    values = set(re.findall(rf'^HCCT_{list_}\(\w+, "([^"]+)"', names, re.M))
    row = re.search(rf"^\| `{key}` .*", document, re.M).group(0)
    help_ = re.search(rf"^hcct:   {key}  .*", run_time, re.M).group(0)
    compare(f"values of {key}", values, {"docs/options.md": values & set(re.findall(r"`([^`=]+)`", row)),
                                         "HCCT_OPTIONS=help=1": values & set(re.findall(r"; ([a-z-]+):", help_))})
    if list_ == "METRIC":
        events = set(re.findall(r'^HCCT_EVENT\(\w+, "([^"]+)"', names, re.M))
        compare("events", events, {"docs/options.md": events & set(re.findall(r"`([^`=]+)`", row))})

# The compiler's: each option is a variable, and some variables have no option.
help_ = help_of("hcct-cc")
both = [row for row in rows("Compile time") if row[0].startswith("| `--")]
alone = spans(row[0] for row in rows("Compile time") if row[0].startswith("| `HCCT_"))
compare("hcct-cc", set(re.findall(r"^  (--hcct-[a-z-]+)", help_, re.M)), {
    "docs/options.md": spans(row[0] for row in both),
    "hcct-cc.1": {option for option in re.findall(OPTION, re.sub(r"\\f.", "", manual("hcct-cc").split(".SH OPTIONS")[1])) if option.startswith("--hcct-")},
})
compare("hcct-cc's variables", set(re.findall(r"environment: (HCCT_\w+)", help_)), {"docs/options.md": spans(row[1] for row in both)})
code = "".join(read(at, name) for folder in ("pass", "wrapper") for at, _, files in os.walk(os.path.join(source, folder)) for name in sorted(files) if name.endswith((".c", ".cpp", ".h")))
variables = set(re.findall(r'(?:getenv|hcct_settings_is_on|asked)\("(HCCT_\w+)"\)', code))
compare("variables of the compiler", variables, {"docs/options.md": variables & (alone | spans(row[1] for row in both))})
compare("variables without an option", alone, {"the code": alone & variables})

# The commands': an option that several have stands in one table, which says which ones.
shared = rows("Options of every command that shows profiles")
for command in ("decode", "run", "compare", "top", "merge", "heights"):
    told = set(re.findall(OPTION, "\n".join(re.findall(r"^  (-.*?)(?:  |$)", help_of("hcct-" + command), re.M))))
    own = set(re.findall(OPTION, " ".join(row[0] for row in rows("hcct-" + command))))
    here = {option for row in shared if command in row[1].split(", ") or row[1] == "all" for option in re.findall(OPTION, row[0])}
    compare("hcct-" + command, told, {"docs/options.md": own | here})
    page = manual("hcct-" + command).split(".SH OPTIONS")[1].split(".SH ")[0]
    tags = set(re.findall(OPTION, re.sub(r"\\f.", "", " ".join(lines.split("\n")[0] for lines in page.split(".TP\n")[1:]))))
    mentioned = set(re.findall(OPTION, re.sub(r"\\f.", "", page)))
    if "hcct-decode (1)" in page:  # which has the shared ones
        if own:
            compare(f"hcct-{command}'s own", own, {f"hcct-{command}.1": own & tags})
        compare(f"hcct-{command}.1", tags, {"the command": tags & told})
    else:
        compare("hcct-" + command, told, {f"hcct-{command}.1": tags | (mentioned & told)})
sys.exit(wrong)
