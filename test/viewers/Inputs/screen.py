"""Reads what was written to a terminal, and prints the lines as they stood on the screen, each time one of them changed; what
stands there in the end follows behind "END". Knows carriage returns, line feeds and "erase to the end of the line".
"""
import re
import sys

lines, seen, column = [""], [], 0
text = sys.stdin.buffer.read().decode()
for part in re.findall(r"\r|\n|\x1b\[K|[^\r\n\x1b]+|\x1b", text):
    if part == "\n":
        lines.append("")
        column = 0
    elif part == "\r":
        column = 0
    elif part == "\x1b[K":
        lines[-1] = lines[-1][:column]
    else:
        assert part != "\x1b", f"an unknown sequence in {text!r}"
        lines[-1] = lines[-1][:column] + part + lines[-1][column + len(part):]
        column += len(part)
        seen.append(lines[-1])
print(*seen, "END", *lines, sep="\n", end="")
