"""Reads a context-sensitive sample profile as text by the rules of LLVM's format, checks what must hold within it, and prints it
in one order: the contexts sorted, the places sorted, without comments.

usage: samples.py FILE
"""
import re
import sys

PLACE = r"\d+(?:\.[1-9]\d*)?"
NAME = r"[^\s\[\]:@]+"
contexts, body = {}, None
with open(sys.argv[1], encoding="utf-8") as file:
    lines = [line.rstrip("\n") for line in file if not line.startswith("#")]
for line in lines:
    if match := re.fullmatch(rf"\[((?:{NAME}:{PLACE} @ )*{NAME})\]:(\d+):(\d+)", line):
        assert match[1] not in contexts, f"twice: {line}"
        body = {}
        contexts[match[1]] = (int(match[2]), int(match[3]), body)
        continue
    match = re.fullmatch(rf" ({PLACE}): (\d+)((?: {NAME}:\d+)*)", line)
    assert match and body is not None, f"not of the format: {line}"
    place = tuple(map(int, (match[1] + ".0").split(".")[:2]))
    assert place not in body and place[0] < 65536, f"place: {line}"
    targets = dict(target.split(":") for target in match[3].split())
    assert int(match[2]) >= sum(map(int, targets.values())) and int(match[2]) > 0, f"more calls than samples: {line}"
    body[place] = (int(match[2]), targets)
assert contexts, "no context"
for context, (total, head, body) in sorted(contexts.items(), key=lambda item: item[0] + "]"):
    assert total == sum(samples for samples, _ in body.values()), f"total of {context}"
    print(f"[{context}]:{total}:{head}")
    for (line, discriminator), (samples, targets) in sorted(body.items()):
        print(f" {line}.{discriminator}: {samples}", *(f"{name}:{count}" for name, count in sorted(targets.items())))
