"""Compares include/hcct/abi.h and locations.h, without comments, with the hash that was recorded for their version.

usage: check_abi.py SOURCE RECORD [HEADER]
"""
import hashlib
import os
import re
import sys

source, record = sys.argv[1:3]
header = sys.argv[3] if len(sys.argv) > 3 else os.path.join(source, "include/hcct/abi.h")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


text = re.sub(r"/\*.*?\*/", " ", read(header) + read(os.path.join(source, "include/hcct/locations.h")), flags=re.S)
version = re.search(r"#define HCCT_ABI_VERSION (\d+)", text)[1]
digest = hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:16]
if f"{version} {digest}" not in read(record).splitlines():
    sys.exit(f"the ABI changed: raise HCCT_ABI_VERSION in include/hcct/abi.h, and the version in HCCT_ABI_SYMBOL, then write the line that this says into "
             f"{record}: '{version} {digest}'. (If only names of parameters or macros changed, the line alone is enough.)")
if f"__hcct_abi_{version}_" not in text:
    sys.exit("HCCT_ABI_SYMBOL is of another version")

file_version = re.search(r"#define HCCT_FILE_VERSION (\d+)", read(os.path.join(source, "format/layout.h")))[1]
told = f"File format {file_version}, ABI {version}."
if header == os.path.join(source, "include/hcct/abi.h") and f"\n{told}\n" not in read(os.path.join(source, "CHANGELOG.md")):
    sys.exit(f"CHANGELOG.md does not say: {told}")
