"""Validates a profile by speedscope's own schema, opens it in speedscope, and compares its table of functions.

usage: check_speedscope.py SPEEDSCOPE-FOLDER PROFILE FOLDER     (the screenshot goes to FOLDER)
"""
import base64
import json
import pathlib
import re
import sys

import jsonschema

from browser import Browser

WANTED = {"leaf": (9, 9), "recurse": (6, 5), "outer": (9, 3), "compare": (3, 1), "main": (19, 1), "middle": (6, 0), "[qsort]": (3, 0)}

release = pathlib.Path(sys.argv[1]).resolve() / "dist" / "release"
profile, folder = pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]).resolve()
jsonschema.validate(json.loads(profile.read_text("utf-8")), json.loads((release / "file-format-schema.json").read_text("utf-8")))

# What speedscope's command line does.
loader = folder / "loader.js"
loader.write_text(f"speedscope.loadFileFromBase64('calls.json', '{base64.b64encode(profile.read_bytes()).decode()}')", "utf-8")
with Browser(f"{(release / 'index.html').as_uri()}#localProfilePath={loader}") as browser:
    for _ in range(100):
        browser.settle()
        text = browser.run("return document.body.innerText")
        if "19 of 19 calls" in text:
            break
    browser.screenshot(folder / "speedscope.png")
    browser.type("3")
    for _ in range(100):
        browser.settle()
        text = browser.run("return document.body.innerText")
        if "Symbol Name" in text:
            break
    for _ in range(100):
        rows = re.findall(r"^(\d+) \([^)]*\)\s+(\d+) \([^)]*\)\s+(\S+)$", browser.run("return document.body.innerText"), re.M)
        found = {name: (int(total), int(own)) for total, own, name in rows}
        if found == WANTED:
            break
        browser.settle()
if found != WANTED:
    sys.exit(f"speedscope shows {found} instead of {WANTED}")
print("speedscope shows what was counted")
