"""Takes the program, its profile as a hexdump, and the tree out of docs/format.md. usage: read_dump.py DOCUMENT PROGRAM BYTES TREE"""
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    document = file.read()
bytes_ = bytearray()
for offset, row in re.findall(r"^([0-9a-f]{6})  ((?:[0-9a-f]{2} ?){1,16})", document, re.M):
    assert int(offset, 16) == len(bytes_), f"the dump has a hole before {offset}"
    bytes_ += bytes.fromhex(row)
with open(sys.argv[3], "wb") as file:
    file.write(bytes_)
tree = re.search(r"^\$ hcct-decode --all\n(.*?)^```$", document, re.M | re.S).group(1)
with open(sys.argv[4], "w", encoding="utf-8") as file:
    file.write(tree)
program = re.search(r"^```c\n(static int leaf.*?)^```$", document, re.M | re.S).group(1)
with open(sys.argv[2], "w", encoding="utf-8") as file:
    file.write(program)
