"""gdb's command hcct-context: the calling context of the selected thread, in a live process or a core file (hcct_context.py).

    gdb -x PREFIX/share/hcct/hcct-gdb.py program core
    (gdb) hcct-context
    (gdb) thread apply all hcct-context"""
import os
import struct
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import hcct_context
from hcct_context import Segments, Unknown, Unreadable
from hcct_layout import THREAD_SYMBOL


def auxiliary_vector():
    """AT_PHDR and AT_PHNUM, in the manner of `info auxv`."""
    found = {}
    for line in gdb.execute("info auxv", to_string=True).splitlines():
        words = line.split()
        if len(words) > 2 and words[1] in ("AT_PHDR", "AT_PHNUM"):
            found[words[1]] = int(words[-1], 0)
    if len(found) != 2:
        raise Unknown("there is no process, or no core file with its auxiliary vector")
    return found["AT_PHDR"], found["AT_PHNUM"]


class Gdb:
    name = "gdb"

    def __init__(self):
        if not gdb.selected_thread():
            raise Unknown("there is no process and no core file")
        self.inferior = gdb.selected_inferior()

    def write(self, line):
        print(line)

    def read(self, address, count):
        try:
            return bytes(self.inferior.read_memory(address, count))
        except (gdb.MemoryError, OverflowError) as reason:
            raise Unreadable(str(reason)) from None

    def objects(self, memory):
        """The shared ones are those in the loader's list."""
        table, count = auxiliary_vector()
        program = Segments(memory, table, count)
        bias = table - 64 - program.first
        yield bias, program
        for address, size, _ in program.of(Segments.DYNAMIC):
            entries = struct.iter_unpack("<QQ", memory.read(bias + address, size & -16))
            debug = [value for tag, value in entries if tag == 21]  # DT_DEBUG
            link = memory.unpack("Q", debug[0] + 8)[0] if debug and debug[0] else 0
            seen = set()
            while link and link not in seen:
                seen.add(link)
                base, _, _, link = memory.unpack("QQQQ", link)
                try:
                    if base == bias or memory.read(base, 4) != b"\x7fELF":
                        continue
                    yield hcct_context.object_at(memory, base)
                except Unreadable:
                    continue

    def architecture(self):
        return gdb.selected_frame().architecture().name()

    def thread_data(self, memory):
        try:
            return int(gdb.parse_and_eval("(unsigned long)&" + THREAD_SYMBOL))
        except gdb.error as reason:
            symbol = gdb.execute("info address " + THREAD_SYMBOL, to_string=True) if "No symbol" not in str(reason) else ""
        # gdb knows no thread-local storage of a program without libpthread's library for debuggers.
        words = symbol.replace(",", " ").replace(".", " ").split()
        offsets = [int(word, 16) for word in words if word.startswith("0x")]
        program = next(self.objects(memory))[1].of(Segments.TLS)
        if not offsets or not program:
            raise Unknown("there is no __hcct_thread: the program is not instrumented, or lacks its symbols")
        offset = offsets[0] - program[0][0] if offsets[0] >= program[0][0] else offsets[0]
        register = "tpidr" if self.architecture() == "aarch64" else "fs_base"
        return hcct_context.static_thread_data(memory, offset, int(gdb.selected_frame().read_register(register)))

    def stack_pointer(self):
        return int(gdb.newest_frame().read_register("sp"))

    def machine_frames(self):
        level, frame = 0, gdb.newest_frame()
        while frame:
            try:
                if frame.type() == gdb.SIGTRAMP_FRAME:
                    level += 1
                else:
                    yield level, int(frame.read_register("sp")), frame.name() or "?"
                frame = frame.older()
            except gdb.error:
                return

    def demangled(self, name):
        try: # in a function of the C library gdb takes the program's language to be C
            text = gdb.execute("demangle -l c++ -- " + name, to_string=True).strip() if name.startswith("_Z") else ""
        except gdb.error:
            text = ""
        return text if text and not text.startswith("Can't") else name


class HcctContext(gdb.Command):
    """The calling context of the selected thread, from hcct's own data: hcct-context [LIMIT]

Shows each call with its place, the root first, of deep ones the last LIMIT (100; 0: all), then those of what signals interrupted. Works on core files.
From hcct's own data up to the newest push; below that, from the stack, which it says."""

    def __init__(self):
        super().__init__("hcct-context", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        self.dont_repeat()
        try:
            limit = int(argument or 100)
        except ValueError:
            raise gdb.GdbError("usage: hcct-context [LIMIT]") from None
        try:
            hcct_context.show_contexts(Gdb(), limit)
        except Unknown as reason:
            raise gdb.GdbError(f"hcct-context: {reason}") from None


HcctContext()
