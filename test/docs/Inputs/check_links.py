"""Checks that relative links of Markdown files lead to files. usage: check_links.py SOURCE FILE-OR-FOLDER..."""
import os
import re
import sys

source, wrong = sys.argv[1], False
for name in sys.argv[2:]:
    path = os.path.join(source, name)
    for file in [path] if os.path.isfile(path) else [os.path.join(path, each) for each in os.listdir(path) if each.endswith(".md")]:
        with open(file, encoding="utf-8") as text:
            links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text.read())
        for link in links:
            if not os.path.exists(os.path.join(os.path.dirname(file), link)):
                wrong = True
                print(f"{file}: {link} is not there")
sys.exit(wrong)
