"""lldb's command hcct-context: the calling context of the selected thread, in a live process or a core file (hcct_context.py).

    lldb -o 'command script import PREFIX/share/hcct/hcct_lldb.py' program -c core
    (lldb) hcct-context
    (lldb) hcct-context --all

--all: of all threads. The runtime is to be the executable's, as it is wherever that is instrumented."""
import os
import struct
import sys

import lldb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import hcct_context
from hcct_context import Unknown, Unreadable
from hcct_layout import THREAD_SYMBOL

SYMTAB, DYNSYM, TLS_SYMBOL = 2, 11, 6
THREAD_NAME = THREAD_SYMBOL.encode() + b"\0"


def thread_symbol(path):
    """The value of __hcct_thread in the symbol tables of an ELF file: its place in thread-local data; None: it has none."""
    with open(path, "rb") as file:
        held = file.read()
    start, = struct.unpack_from("<Q", held, 40)
    size, count = struct.unpack_from("<HH", held, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", held, start + size * i) for i in range(count)]
    for _, kind, _, _, offset, length, link, _, _, _ in sections:
        if kind not in (SYMTAB, DYNSYM):
            continue
        names = sections[link][4]
        for name, info, _, _, value, _ in struct.iter_unpack("<IBBHQQ", held[offset:offset + length]):
            if info & 15 == TLS_SYMBOL and held.startswith(THREAD_NAME, names + name):
                return value
    return None


class Lldb:
    name = "lldb"

    def __init__(self, target, thread, result):
        self.target, self.thread, self.result = target, thread, result
        if not thread.IsValid():
            raise Unknown("there is no process and no core file")

    def write(self, line):
        self.result.AppendMessage(line)

    def read(self, address, count):
        error = lldb.SBError()
        held = self.target.ReadMemory(lldb.SBAddress(address, self.target), count, error)  # of the file, where a core file lacks it
        if not error.Success() or held is None or len(held) != count:
            raise Unreadable(error.GetCString() or f"{address:#x}")
        return held

    def objects(self, memory):
        for module in self.target.module_iter():
            base = module.GetObjectFileHeaderAddress().GetLoadAddress(self.target)
            try:
                if base != lldb.LLDB_INVALID_ADDRESS and memory.read(base, 4) == b"\x7fELF":
                    yield hcct_context.object_at(memory, base)
            except Unreadable:
                continue

    def architecture(self):
        return self.target.GetTriple().split("-")[0]

    def register(self, name):
        found = self.thread.GetFrameAtIndex(0).FindRegister(name)
        if not found.IsValid():
            raise Unknown(f"lldb knows no {name} here")
        return found.GetValueAsUnsigned()

    def thread_data(self, memory):
        try:
            symbol = thread_symbol(str(self.target.GetExecutable().fullpath))
        except (OSError, struct.error, IndexError):
            symbol = None
        if symbol is None:
            raise Unknown("there is no __hcct_thread: the program is not instrumented, or lacks its symbols")
        return hcct_context.static_thread_data(memory, symbol, self.register("tpidr" if self.architecture() == "aarch64" else "fs_base"))

    def stack_pointer(self):
        return self.thread.GetFrameAtIndex(0).GetSP()

    def machine_frames(self):
        level = 0
        for frame in self.thread:
            name = frame.GetFunctionName() or "?"
            if name in ("__restore_rt", "__kernel_rt_sigreturn", "hcct_machine_call_handler"):
                level += 1
            else:
                yield level, frame.GetSP(), name

    def demangled(self, name):
        return name if not name.startswith("_Z") else self.outcome("language cplusplus demangle " + name).split(" ---> ")[-1].strip() or name

    def outcome(self, command):
        done = lldb.SBCommandReturnObject()
        self.target.GetDebugger().GetCommandInterpreter().HandleCommand(command, done)
        return done.GetOutput() or ""


def hcct_context_command(debugger, command, result, _):
    """The calling context of the selected thread, from hcct's own data: hcct-context [--all] [LIMIT]

Shows each call with its place, the root first, of deep ones the last LIMIT (100; 0: all), then those of what signals interrupted. Works on core files.
From hcct's own data up to the newest push; below that, from the stack, which it says."""
    words = command.split()
    target = debugger.GetSelectedTarget()
    process = target.GetProcess()
    try:
        limit = int(([word for word in words if word != "--all"] or [100])[0])
        for thread in process if "--all" in words else [process.GetSelectedThread()]:
            hcct_context.show_contexts(Lldb(target, thread, result), limit)
    except ValueError:
        result.SetError("usage: hcct-context [--all] [LIMIT]")
    except Unknown as reason:
        result.SetError(f"hcct-context: {reason}")


def __lldb_init_module(debugger, _):
    debugger.HandleCommand(f"command script add -o -f {__name__}.hcct_context_command hcct-context")
