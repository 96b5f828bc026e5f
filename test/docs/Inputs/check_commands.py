"""Runs each command of hcct that the documents show, with its options and no files: no option may be refused, nor its value.
Where a program's output is thrown away, the profile that hcct-run prints goes to a file.
Settings in HCCT_OPTIONS are given to a program. Options of hcct-cc have to be known to it.

usage: check_commands.py SOURCE BIN PROGRAM
"""
import glob
import os
import re
import shlex
import subprocess
import sys

source, commands, program = sys.argv[1:4]
REFUSED = re.compile(r"no such option| went: |not a value of|needs a value|takes no value|may be any of several|HCCT_OPTIONS: ")
NAMES = "decode|run|compare|merge|top|heights|lab"


def shown(text):
    """The lines of code blocks, and code within lines."""
    inside = False
    for line in text.splitlines():
        if line.startswith("```"):
            inside = not inside
        elif inside:
            yield line.removeprefix("$ ")
        else:
            yield from re.findall(r"`([^`]+)`", line)


def split(text):
    """The commands of a line, as words. Nothing for what is no shell command, or stands for several."""
    lexer = shlex.shlex(re.sub(r"\s#\s.*", "", text), posix=True, punctuation_chars="|&;<>()")
    lexer.whitespace_split = True
    try:
        words = list(lexer)
    except ValueError:
        return
    command = []
    for word in words + [";"]:
        if re.fullmatch(r"[|&;<>()]+", word):
            yield command
            command = []
        else:
            command.append(word)


def is_placeholder(word):
    return re.search(r"…|\.\.\.|=[A-Z]+\b|[\[\]$]|=$|key=value", word)


def answer(words, options=None):
    environment = {**os.environ, "HCCT_OPTIONS": options or ""}
    done = subprocess.run(words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True, errors="replace", timeout=60, check=False)
    return done.stderr


def is_refused(option):
    """Whether hcct-cc does not know it. With another value than it wants it is known."""
    told = subprocess.run([os.path.join(commands, "hcct-cc"), option], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout
    return "unknown option" in told or " went: " in told


checked, failed = set(), False
for path in [os.path.join(source, "README.md"), *sorted(glob.glob(os.path.join(source, "docs", "**", "*.md"), recursive=True))]:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for option in filter(is_refused, sorted(set(re.findall(r"(?<![\w-])--hcct-[a-z-]*[a-z]", text)))):
        print(f"{os.path.relpath(path, source)}: hcct-cc has no {option}")
        failed = True
    for line in shown(text):
        if re.search(r"hcct-run (?!.* -o ).*> */dev/null", line):
            print(f"{os.path.relpath(path, source)}: the profile goes to /dev/null, too: {line}")
            failed = True
        for words in split(line):
            settings = [word.removeprefix("HCCT_OPTIONS=") for word in words if word.startswith("HCCT_OPTIONS=")]
            while words and re.match(r"[A-Z_]+=", words[0]):
                words = words[1:]
            trials = [([program], setting) for setting in settings if not is_placeholder("=" + setting)]
            if words and re.fullmatch(f"hcct-({NAMES})", words[0]):
                part = words[1:2] if words[0] in ("hcct-heights", "hcct-lab") else []
                options = [word for word in words[1:] if word.startswith("--") and not is_placeholder(word)]
                trials.append(([os.path.join(commands, words[0]), *part, *options, "nowhere", "nowhere"], None))
            for trial, setting in trials:
                key = (tuple(trial), setting)
                if key in checked:
                    continue
                checked.add(key)
                told = answer(trial, setting)
                if REFUSED.search(told):
                    print(f"{os.path.relpath(path, source)}: {line}\n{told}")
                    failed = True
never = set(NAMES.split("|")) - {os.path.basename(trial[0]).removeprefix("hcct-") for trial, _ in checked}
if never:
    sys.exit(f"no command of {', '.join(sorted(never))} is shown: is this test out of date?")
sys.exit(failed)
