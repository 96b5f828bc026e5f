"""agreement.py DHAT HEAP: compares what dhat prints with the sums of a profile as JSON."""
import json
import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
heap = json.load(open(sys.argv[2], encoding="utf-8"))["heap"]
found = re.findall(r"(Total|At t-gmax|At t-end): +([0-9,]+) bytes in ([0-9,]+) blocks", text)
numbers = {what: (int(size.replace(",", "")), int(blocks.replace(",", ""))) for what, size, blocks in found}
own = {"Total": ("allocated", "blocks"), "At t-gmax": ("peak", "peak-blocks"), "At t-end": ("live", "live-blocks")}
expected = {what: (heap[size], heap[blocks]) for what, (size, blocks) in own.items()}
assert numbers == expected, (numbers, expected)
