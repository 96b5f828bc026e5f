"""Reads what objdump -dr prints of libhcct.a (x86-64). Wherever a function makes its thread busy without a call, it has to touch the end of its
frame right before, and from there to where it is not busy any more it calls nothing, pushes nothing, and goes to no other function.

    objdump -dr --no-show-raw-insn libhcct.a | busy_frames.py
"""
import re
import sys

INSTRUCTION = re.compile(r"\s+([0-9a-f]+):\t(\S+)\s*(.*)")
SETS_BUSY = "hcct_busy"
TOUCH = "$0x0,-0x80(%rsp)"
# Is busy already, in place of code that was jumped out of.
LEFT_OUT = {"hcct_block_abandon"}


def functions(lines):
    """[name, [[address, mnemonic, operands, symbol of the relocation]]]"""
    found = []
    for line in lines:
        if match := re.match(r"[0-9a-f]+ <(.*)>:", line):
            found.append((match[1], []))
        elif "R_X86_64" in line and found and found[-1][1]:
            found[-1][1][-1][3] = re.split(r"[-+]", line.split()[-1])[0]
        elif (match := INSTRUCTION.match(line)) and found:
            found[-1][1].append([int(match[1], 16), match[2], match[3], ""])
    return found


def sets(instruction, value):
    return instruction[3] == SETS_BUSY and instruction[1] == "movl" and instruction[2].startswith(f"${value:#x},")


def check_from(name, code, start):
    """Follows all ways from the instruction at index `start`."""
    index = {instruction[0]: i for i, instruction in enumerate(code)}
    seen, left = set(), [start]
    while left:
        at = left.pop()
        if at in seen:
            continue
        seen.add(at)
        address, mnemonic, operands, symbol = code[at]
        if sets(code[at], 0):
            continue
        where = f"{name}+{address:#x}: {mnemonic} {operands} {symbol}: while busy, and not probed"
        assert not mnemonic.startswith(("call", "push", "ret", "ud2")), where
        if mnemonic.startswith("j"):
            target = int(operands.split()[0], 16) if re.match(r"[0-9a-f]+ ", operands) else None
            assert not symbol and target in index, where
            left.append(index[target])
            if mnemonic == "jmp":
                continue
        left.append(at + 1)


def main():
    checked = set()
    for name, code in functions(sys.stdin):
        for at, instruction in enumerate(code):
            if not sets(instruction, 1) or name in LEFT_OUT:
                continue
            before = code[at - 1]
            assert before[1] == "testb" and before[2] == TOUCH, f"{name}+{instruction[0]:#x}: busy, but did not touch its frame: {before}"
            check_from(name, code, at)
            checked.add(name)
    print(f"{len(checked)} functions: {' '.join(sorted(checked))}")


main()
