"""Compares docs/options.md and the man pages with what the programs say of themselves and with the source.

usage: compare_options.py SOURCE RUN-TIME-HELP COMPILE-TIME-HELP DECODE-HELP RUN-HELP
"""
import os
import re
import sys

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


def rows(document, heading):
    """The first column's code spans, without values, of the first table under a heading; and the second column's, likewise."""
    section = document.split(f"\n## {heading}\n")[1].split("\n## ")[0].split("\nThese have no option:\n")[0]
    cells = [line.split("|")[1:3] for line in section.splitlines() if line.startswith("| `")]
    spans = lambda text: {span.split("=")[0] for span in re.findall(r"`([^`]+)`", text)}
    first, second = set(), set()
    for one, two in cells:
        first |= spans(one)
        second |= spans(two)
    return first, second


def manual(path):
    text = re.sub(r"\\f.|\.(B|BR|BI|I|IR|RB|TP) ?", "", read(path).replace("\\-", "-"))
    text = text.split(".SH OPTIONS")[1].split(".SH ")[0]
    return set(re.findall(r"(?<![\w-])(?<!hcct-cc )--?[a-zA-Z][a-z-]*", text))


source, run_time, compile_time, decode, run = sys.argv[1], *map(read, sys.argv[2:])
document = read(source, "docs", "options.md")

table = read(source, "runtime", "core", "options.c").split("} keys[] = {")[1].split("\n};")[0]
compare("HCCT_OPTIONS", set(re.findall(r'\{\s*"(\w+)",\s*\w*read_', table)), {
    "docs/options.md": rows(document, "Run time")[0],
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

options = set(re.findall(r"^  (--hcct-[a-z-]+)", compile_time, re.M))
compare("hcct-cc", options, {
    "docs/options.md": rows(document, "Compile time")[0],
    "hcct-cc.1": {option for option in manual(os.path.join(source, "wrapper", "hcct-cc.1")) if option.startswith("--hcct-")},
})
compare("hcct-cc's variables", set(re.findall(r"environment: (HCCT_\w+)", compile_time)),
        {"docs/options.md": rows(document, "Compile time")[1]})

plugin = "".join(read(at, name) for at, _, names in os.walk(os.path.join(source, "pass")) for name in sorted(names))
variables = set(re.findall(r'(?:getenv|setting)\("(HCCT_\w+)"\)', plugin))
compare("the plugin's variables", variables, {"docs/options.md": variables & set(re.findall(r"HCCT_\w+", document))})

options = set(re.findall(r"(?<![\w-])(--?[a-zA-Z][a-z-]*)(?==|,|  )", decode))
compare("hcct-decode", options, {
    "docs/options.md": rows(document, "hcct-decode")[0],
    "hcct-decode.1": manual(os.path.join(source, "decoder", "commands", "hcct-decode.1")),
})

# hcct-run has options of its own and passes hcct-decode's on.
own = set(re.findall(r"(?<![\w-])(--?[a-zA-Z][a-z-]*)(?==|,|  )", "\n".join(re.findall(r"^  -.*", run, re.M))))
table = read(source, "decoder", "commands", "run", "run_main.c").split("long_options[] = {")[1].split("\n};")[0]
table = re.sub(r"\{[^}]*, GONE \}", "", table)
filters = "".join(re.findall(r"#define HCCT_QUERY_(?:FILTERS|VALUES) .*?(?=#define)", read(source, "decoder", "commands", "query_options.h"), re.S))
filters = re.sub(r"\{\s*\\?\s*\"", '{ "', filters)
all_options = {"--" + name for name in re.findall(r'\{ "([a-z-]+)"', table + filters)} | {"-o", "-h", "-V"}
compare("hcct-run", all_options, {"docs/options.md": rows(document, "hcct-run")[0]})
compare("hcct-run's own", own, {"hcct-run.1": manual(os.path.join(source, "decoder", "commands", "hcct-run.1")),
                                "its options": own & all_options})
compare("hcct-run's of hcct-decode", all_options - own, {"hcct-decode's": (all_options - own) & (options | {"-o"})})
sys.exit(wrong)
