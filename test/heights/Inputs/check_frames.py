"""Fails unless `hcct-heights sites` has the heights that gdb printed (frames.py), and knows all but those of `variable`."""
import sys

heights = {int(line.split()[0], 16): line.split()[2] for line in open(sys.argv[2])}
checked = set()
for line in open(sys.argv[1]):
    if not line.startswith("frame "):
        continue
    _, at, function, height = line.split()
    wanted = "?" if function == "variable" else height
    if heights[int(at, 16)] != wanted:
        sys.exit(f"{line.strip()}: hcct-heights has {heights[int(at, 16)]}")
    checked.add(function)
if not {"buffer", "many", "saved", "variable", "again"} <= checked:
    sys.exit(f"gdb stopped in {checked} only")
