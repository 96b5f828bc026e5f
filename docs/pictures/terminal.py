"""Draws what a program wrote to a terminal, colours and all, as SVG. usage: terminal.py COMMAND-LINE < TEXT"""
import re
import sys
from xml.sax.saxutils import escape

ROW, COLUMN = 17, 7.23
COLOURS = {30: "#5b6270", 31: "#c33", 32: "#2a7d2a", 33: "#8a6d00", 34: "#1f5fbf", 35: "#8a3fa0", 36: "#0f7480", 90: "#7a818f"}


def spans(line):
    """(column, text, style) of each piece of a line."""
    column, style = 0, set()
    for piece in re.split(r"(\x1b\[[\d;]*m)", line):
        if match := re.fullmatch(r"\x1b\[([\d;]*)m", piece):
            for code in map(int, (match[1] or "0").split(";")):
                style = style | {code} if code else set()
            continue
        for words in re.finditer(r"\S+(?: \S+)*", piece): # more spaces than one would shrink
            yield column + words.start(), words[0], style
        column += len(piece)


lines = [sys.argv[1]] + sys.stdin.read().rstrip("\n").split("\n")
width, height = max(len(re.sub(r"\x1b\[[\d;]*m", "", line)) for line in lines) * COLUMN + 20, len(lines) * ROW + 20
print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}">')
print('<rect width="100%" height="100%" rx="6" fill="#fbfbfc" stroke="#d5d9e0"/>')
print('<g font-family="ui-monospace, DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="12" fill="#16181d">')
for number, line in enumerate(lines):
    for column, text, style in spans(line):
        colour = next((f' fill="{COLOURS[code]}"' for code in style if code in COLOURS), ' fill="#7a818f"' if 2 in style else "")
        weight = ' font-weight="bold"' if 1 in style else ""
        print(f'<text x="{10 + column * COLUMN:.1f}" y="{22 + number * ROW}" textLength="{len(text) * COLUMN:.1f}"{colour}{weight}>{escape(text)}</text>')
print("</g>\n</svg>")
