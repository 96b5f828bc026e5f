"""Checks that relative links of Markdown files lead to files, and their anchors to headings. usage: check_links.py SOURCE FILE-OR-FOLDER..."""
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


source, wrong = sys.argv[1], False
for name in sys.argv[2:]:
    path = os.path.join(source, name)
    for file in [path] if os.path.isfile(path) else [os.path.join(path, each) for each in os.listdir(path) if each.endswith(".md")]:
        for link, anchor in re.findall(r"\]\(([^)#:\s]*)(?:#([^)]*))?\)", read(file)):
            target = os.path.join(os.path.dirname(file), link) if link else file
            if not os.path.exists(target) or (anchor and anchor not in anchors(target)):
                wrong = True
                print(f"{file}: {link}#{anchor} is not there" if anchor else f"{file}: {link} is not there")
sys.exit(wrong)
