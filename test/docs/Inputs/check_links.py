"""Checks that relative links of Markdown files lead to files, and their anchors to headings. A path of the source in backticks,
`stack/push.c`, is the end of a file's path; only the changelog may name what is gone. usage: check_links.py SOURCE FILE-OR-FOLDER..."""
import glob
import os
import re
import sys


def read(path):
    with open(path, encoding="utf-8") as text:
        return text.read()


def anchors(path):
    """The headings of a Markdown file, as GitHub makes anchors of them."""
    text = re.sub(r"^```.*?^```$", "", read(path), flags=re.DOTALL | re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}


def source_files(source):
    """The paths of all files, each behind a slash; nothing that was built."""
    for folder, folders, files in os.walk(source):
        folders[:] = [each for each in folders if not each.startswith((".", "build"))]
        yield from (f"/{os.path.relpath(os.path.join(folder, each), source)}" for each in files)


def lost_paths(text, files):
    for path in re.findall(r"`((?:[\w.-]+/)+[\w.-]+\.(?:c|cpp|h|js|md|py|sh|test|ll|def))`", text):
        if "NAME" not in path and not any(file.endswith("/" + path) for file in files):
            yield path


source, wrong = sys.argv[1], False
files = list(source_files(source))
for name in sys.argv[2:]:
    path = os.path.join(source, name)
    for file in [path] if os.path.isfile(path) else glob.glob(os.path.join(path, "**", "*.md"), recursive=True):
        for link, anchor in re.findall(r"\]\(([^)#:\s]*)(?:#([^)]*))?\)", read(file)):
            target = os.path.join(os.path.dirname(file), link) if link else file
            if not os.path.exists(target) or (anchor and anchor not in anchors(target)):
                wrong = True
                print(f"{file}: {link}#{anchor} is not there" if anchor else f"{file}: {link} is not there")
        for path in lost_paths(read(file), files) if name != "CHANGELOG.md" else []:
            wrong = True
            print(f"{file}: `{path}` is not there")
sys.exit(wrong)
