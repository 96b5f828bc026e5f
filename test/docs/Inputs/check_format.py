"""Formatting: clang-format changes nothing, and no line is longer than the limit in .clang-format.

clang-format leaves long comments alone, so lines are measured too. Tests of lit are left out: their commands are comments.
"""
import os
import re
import subprocess
import sys

FOLDERS = ["bench", "decoder", "encoding", "examples", "format", "include", "lab", "pass", "runtime", "test/fuzz", "test/oracle", "test/unit"]


def sources(root):
    for folder in FOLDERS:
        for at, _, names in os.walk(os.path.join(root, folder)):
            for name in sorted(names):
                if name.endswith((".c", ".h", ".cpp")):
                    yield os.path.join(at, name)


def main(root):
    with open(os.path.join(root, ".clang-format"), encoding="utf-8") as file:
        limit = int(re.search(r"^ColumnLimit: (\d+)$", file.read(), re.MULTILINE)[1])
    files = list(sources(root))
    problems = []
    for path in files:
        with open(path, encoding="utf-8") as file:
            problems += [f"{path}:{number}: longer than {limit} columns" for number, line in enumerate(file, 1) if len(line.rstrip("\n")) > limit]
    run = subprocess.run(["clang-format-19", "--dry-run", *files], stderr=subprocess.PIPE, text=True, check=False)
    problems += [line for line in run.stderr.splitlines() if ": warning: " in line]
    print("\n".join(problems), file=sys.stderr)
    return bool(problems) or run.returncode or len(files) < 100


sys.exit(main(sys.argv[1]))
