"""Prints the rows of hcct-compare's SVG: name, length of the bar as a share of its background's, value.

usage: bars.py FILE.svg
"""
import sys
import xml.etree.ElementTree

namespace = "{http://www.w3.org/2000/svg}"
root = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
rows, height = {}, float(root.get("height"))
for element in root:
    assert float(element.get("y", 0)) + float(element.get("height", 0)) <= height, "outside of the picture"
    if element.tag == namespace + "rect" and element.get("height") == "15":
        rows.setdefault(float(element.get("y")), []).append(float(element.get("width")))
texts = {}
for element in root.iter(namespace + "text"):
    if element.get("text-anchor"):
        texts.setdefault(float(element.get("y")) - 12, {})[element.get("text-anchor")] = element.text
for y in sorted(rows):
    bar = rows[y][1] if len(rows[y]) > 1 else 0
    print(f"{texts[y]['end']}|{bar / rows[y][0]:.3f}|{texts[y]['start']}")
