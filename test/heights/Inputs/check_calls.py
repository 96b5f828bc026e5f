"""Fails unless the calls of objdump's LISTING, in functions of the program's own file, are those of `hcct-heights sites`."""
import re
import sys

WANTED = {"leaf", "tail", "buffer", "many", "saved", "variable", "again", "main"}
calls, function, is_call = set(), None, False
for line in open(sys.argv[1]):
    head = re.match(r"[0-9a-f]+ <(\w+)>:", line)
    code = re.match(r"\s+([0-9a-f]+):\s+(\S+)", line)
    if head:
        function, is_call = head.group(1), False
    elif code:
        if is_call and function in WANTED:
            calls.add((int(code.group(1), 16), function))
        is_call = code.group(2).startswith("call")
listed = set()
for line in open(sys.argv[2]):
    at, caller, _, kind, _ = line.split()
    if caller in WANTED and "jump" not in kind:
        listed.add((int(at, 16), caller))
if len(calls) < 12 or calls != listed:
    sys.exit(f"objdump alone: {sorted(calls - listed)}; hcct-heights alone: {sorted(listed - calls)}")
