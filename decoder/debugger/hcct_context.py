"""The calling context of a stopped thread, from hcct's own data, for the commands of gdb (hcct-gdb.py) and lldb (hcct_lldb.py).

Memory is only read: the thread's word and context stack, and the records of functions and call sites with their numbering, which each object's PT_NOTE
leads to. Where these have what, hcct_layout.py tells, which is made from hcct/abi.h when hcct is built. Nothing is called in the program, and no symbol is needed but __hcct_thread.

An instrumented function keeps its context in a register. So the data tells the path as far as the newest push; what was called below that, the debugger
finds on the stack, and it is told apart.
Objects of another ABI are refused.

A debugger is an object with
    name                    for messages
    write(line)
    read(address, count)    bytes; raises Unreadable
    objects(memory)         (bias, Segments) of the executable, then of the others
    architecture()          "aarch64", or another
    thread_data(memory)     the address of the selected thread's __hcct_thread; raises Unknown
    stack_pointer()         of its newest frame
    machine_frames()        of its frames, newest first: how many signal handlers are above it, its stack pointer, its name
    demangled(name)"""
import bisect
import os
import struct

import hcct_layout as layout

PAGE = 4096
MASK = (1 << 64) - 1
LEVELS = 64  # of signal handlers


class Unknown(Exception):
    """What the memory holds tells no context; why."""


class Unreadable(Exception):
    """There is no memory at that address."""


# --- memory ---------------------------------------------------------------------------------------------


class Memory:
    """The program's memory, by pages: a core file is slow to ask."""

    def __init__(self, debugger):
        self.debugger = debugger
        self.pages = {}

    def page(self, start):
        if start not in self.pages:
            try:
                self.pages[start] = self.debugger.read(start, PAGE)
            except Unreadable:
                self.pages[start] = None
        return self.pages[start]

    def read(self, address, count):
        found = b""
        for start in range(address & -PAGE, address + count, PAGE):
            page = self.page(start)
            if page is None:  # a part of it may be there: debuggers take what a core file lacks from the program's sections
                return self.debugger.read(address, count)
            found += page
        return found[address % PAGE:address % PAGE + count]

    def unpack(self, layout, address):
        return struct.unpack("<" + layout, self.read(address, struct.calcsize("<" + layout)))

    def word(self, address):
        return self.unpack("Q", address)[0]

    def number(self, address):
        return self.unpack("I", address)[0]

    def text(self, address):
        found = b""
        while address and b"\0" not in found:
            found += self.read(address + len(found), 32)
        return found.split(b"\0")[0].decode("utf-8", "replace")

    def follow(self, field):
        """What an hcct_rel at that address points to, or None."""
        distance = self.unpack("i", field)[0]
        return field + distance if distance else None


# --- objects --------------------------------------------------------------------------------------------


class Segments:
    """The program headers of an object: (type, offset, address without bias, bytes)."""
    LOAD, DYNAMIC, NOTE, TLS = 1, 2, 4, 7

    def __init__(self, memory, table, count):
        self.all = []
        for i in range(count):
            kind, _, offset, address, _, _, size, align = memory.unpack("IIQQQQQQ", table + 56 * i)
            self.all.append((kind, offset, address, size, align))
        first = [address for kind, offset, address, _, _ in self.all if kind == self.LOAD and offset == 0]
        self.first = first[0] if first else 0

    def of(self, wanted):
        return [(address, size, align) for kind, _, address, size, align in self.all if kind == wanted]


def object_at(memory, base):
    """(bias, segments) of the object whose ELF header is there."""
    offset, = memory.unpack("Q", base + 32)
    count, = memory.unpack("H", base + 56)
    segments = Segments(memory, base + offset, count)
    return base - segments.first, segments


def notes_of(memory, bias, segments):
    """(start, stop, abi) of each note of ours, at any multiple of 4 as in runtime/objects/registry.c."""
    for address, size, _ in segments.of(Segments.NOTE):
        try:
            held = memory.read(bias + address, size)
        except Unreadable:
            continue
        for at in range(0, size - layout.NOTE_BYTES + 1, 4):
            name_bytes, = struct.unpack_from("<I", held, at + layout.NOTE_NAME_BYTES_AT)
            kind, = struct.unpack_from("<I", held, at + layout.NOTE_TYPE_AT)
            name = held[at + layout.NOTE_NAME_AT:at + layout.NOTE_NAME_AT + len(layout.NOTE_NAME)]
            if (name_bytes, kind, name) == (len(layout.NOTE_NAME), layout.NOTE_TYPE, layout.NOTE_NAME):
                note = bias + address + at
                yield (memory.follow(note + layout.NOTE_START_AT), memory.follow(note + layout.NOTE_STOP_AT),
                       memory.number(note + layout.NOTE_ABI_AT))


# --- words: encoding/context.h --------------------------------------------------------------------------


def context_id(word, prefix):
    return (word - prefix) & MASK


def context_pusher(prefix, site):
    """The word of the context whose push at `site` made `prefix`."""
    return int.from_bytes(prefix.to_bytes(8, "little"), "big") * pow(site, -1, 1 << 64) & MASK


# --- the numbering --------------------------------------------------------------------------------------


class Function:
    def __init__(self, memory, record):
        self.memory, self.record = memory, record
        self.site_count = memory.number(record + layout.FUNCTION_SITE_COUNT_AT)
        self.delta_count = memory.number(record + layout.FUNCTION_DELTA_COUNT_AT)
        self.state = memory.follow(record + layout.FUNCTION_STATE_AT)
        self.sites = memory.follow(record + layout.FUNCTION_SITES_AT)
        self.base = memory.word(self.state + layout.STATE_BASE_AT)
        self.contexts = memory.word(self.state + layout.STATE_CONTEXTS_AT)

    def deltas(self):
        return self.memory.unpack(f"{self.delta_count}q", self.state + layout.STATE_DELTA_AT)

    def name(self):
        return self.memory.text(self.memory.follow(self.record + layout.FUNCTION_LINKAGE_NAME_AT)) or "?"

    def site(self, identity):
        """The number of the site of that id; None if there is none."""
        for i in reversed(range(self.site_count)):  # behind the guesses of its callee
            if self.memory.word(self.site_at(i) + layout.SITE_ID_AT) == identity:
                return i
        return None

    def site_at(self, number):
        return self.sites + layout.SITE_BYTES * number

    def callee_name(self, number):
        """The address of the linkage name of a direct callee, or None."""
        site = self.site_at(number)
        callee = self.memory.follow(site + layout.SITE_CALLEE_AT)
        kind = self.memory.number(site + layout.SITE_FLAGS_AT) & layout.SITE_KIND_MASK
        name = {layout.SITE_LOCAL: layout.FUNCTION_LINKAGE_NAME_AT, layout.SITE_SYMBOL: layout.SYMBOL_NAME_AT}.get(kind)
        return self.memory.follow(callee + name) if callee and name is not None else callee

    def location(self, number):
        """Of a site (hcct/locations.h): ordinal, the address of the field with the file, line, column, and the address of the inlined frame around it."""
        memory, at = self.memory, self.site_at(self.site_count)

        def take():
            nonlocal at
            found = shift = 0
            while True:
                byte, = memory.unpack("B", at)
                at, found, shift = at + 1, found | (byte & 127) << shift, shift + 7
                if byte < 128:
                    return found

        def difference():
            zigzag = take()
            return zigzag >> 1 ^ -(zigzag & 1)

        ordinal = line = 0
        take()  # how many scopes there are
        for _ in range(number + 1):
            head = take()
            ordinal += 1 + (difference() if head & layout.LOCATION_HAS_STEP else 0)
            if head & layout.LOCATION_HAS_DISCRIMINATOR:
                take()
            line = line + difference() & 0xffffffff
            column = take()
        scope = head >> layout.LOCATION_SCOPE_SHIFT
        if scope < layout.SCOPE_TABLE:
            return ordinal, self.record + layout.FUNCTION_FILE_AT if scope == layout.SCOPE_OWN else None, line, column, None
        entry = self.sites - layout.SCOPE_BYTES * (scope - layout.SCOPE_TABLE + 1)
        file, inlined = entry + layout.SCOPE_FILE_AT, memory.follow(entry + layout.SCOPE_INLINED_AT)
        return ordinal, file if memory.follow(file) else self.file_of(inlined), line, column, inlined

    def file_of(self, inlined):
        """The address of the field with the file of an inlined frame's function; of this function, if there is no frame."""
        if not inlined:
            return self.record + layout.FUNCTION_FILE_AT
        return self.memory.follow(inlined + layout.INLINED_SUBPROGRAM_AT) + layout.SUBPROGRAM_FILE_AT


class Program:
    """All instrumented objects, and ids back into paths (encoding/index.c)."""

    def __init__(self, memory):
        self.memory = memory
        functions, bounds = [], set()
        for bias, segments in memory.debugger.objects(memory):
            for start, stop, abi in notes_of(memory, bias, segments):
                if abi != layout.ABI:
                    raise Unknown(f"an object was compiled for ABI {abi}, this script is for {layout.ABI}")
                bounds.add((start, stop))
        if not bounds:
            raise Unknown("no object is instrumented")
        for start, stop in bounds:
            functions += [Function(memory, record) for record in range(start, stop, layout.FUNCTION_BYTES)]
        self.functions = sorted((f for f in functions if f.base), key=lambda f: f.base)
        if not self.functions:
            raise Unknown("the program is not numbered yet")
        self.bases = [f.base for f in self.functions]
        self.edges = {}  # of a callee: (its id when the caller has its first, caller, number of the site), ascending
        for caller in self.functions:
            for i, delta in enumerate(caller.deltas()):
                callee = self.function(caller.base + delta) if delta > 0 else None
                if callee:
                    self.edges.setdefault(callee.base, []).append((caller.base + delta, caller.base, i))
        for edges in self.edges.values():
            edges.sort()

    def function(self, identity):
        at = bisect.bisect_right(self.bases, identity) - 1
        found = self.functions[at] if at >= 0 else None
        return found if found and identity - found.base < found.contexts else None

    def caller(self, function, identity):
        """The caller, its id and the number of its site by which `identity` came about; None where its path begins."""
        edges = self.edges.get(function.base, [])
        at = bisect.bisect_right(edges, (identity, MASK, 0)) - 1
        if at < 0:
            return None
        first, base, site = edges[at]
        caller = self.function(base)
        return (caller, base + identity - first, site) if identity - first < caller.contexts else None


# --- the context stack: runtime/stack/frame.h ------------------------------------------------------------------


class Frame:
    def __init__(self, memory, address):
        self.address = address
        self.prefix = memory.word(address + layout.FRAME_PREFIX_AT)
        self.site = memory.word(address + layout.FRAME_SITE_AT)
        self.sp = memory.word(address + layout.FRAME_SP_AT)
        self.tail = memory.word(address + layout.FRAME_TAIL_AT)
        self.is_root = self.sp == layout.ROOT_SP
        self.is_barrier = self.is_root and self.tail == layout.BARRIER_TAIL  # the frames below belong to another stack
        self.is_cut = not self.site and not self.is_root  # where chains end, as the stack was full
        self.is_tail = self.sp < layout.STACK_FRAMES
        self.pusher_sp = self.tail & layout.TAIL_SP_MASK if self.is_tail else self.sp

    def pusher_word(self):
        return context_pusher(self.prefix, self.site)


class Stack:
    def __init__(self, memory, program, folds):
        self.memory, self.program, self.folds = memory, program, folds

    def frame(self, address):
        return Frame(self.memory, address)

    def below(self, frame):
        return self.frame(frame.address - layout.FRAME_BYTES)

    def is_intact(self, frame):
        """A tail push's: the return address that stood there, of which it has a hash, still does. AArch64 has none."""
        if self.memory.debugger.architecture() == "aarch64":
            return True
        stood = self.memory.word(frame.pusher_sp)
        return (stood * layout.RETURN_HASH_FACTOR & MASK) >> 48 == frame.tail >> 48

    def explains(self, frame, word):
        return self.program.function(context_id(word, frame.prefix)) is not None

    def find(self, top, word, sp):
        """The newest live frame that `word` was made from, or None."""
        frame = top
        while not frame.is_cut:
            alive = frame.pusher_sp >= sp and self.is_intact(frame) if frame.is_tail else frame.sp > sp
            if alive and not frame.is_barrier and self.explains(frame, word):
                return frame
            if frame.is_root and not frame.is_barrier:
                return None
            frame = self.below(frame)
        return None

    def parent(self, frame):
        word = frame.pusher_word()
        if not self.folds:
            return self.find(self.below(frame), word, frame.pusher_sp)
        if frame.is_tail:
            address = frame.address - frame.sp * layout.FRAME_BYTES if frame.sp else 0
        else:
            address = frame.tail & ((1 << 48) - 1)
        parent = self.frame(address) if address else None
        linked = parent and (frame.is_tail or parent.prefix >> 48 == frame.tail >> 48)
        return parent if linked and self.explains(parent, word) else None

    def newest(self, top, sp):
        """The newest frame that is live for code at `sp` that is not instrumented; None: not known."""
        frame = top
        while True:
            if not frame.is_tail and frame.sp > sp:
                return None if frame.is_barrier or frame.is_cut else frame
            if frame.is_tail and frame.tail & layout.TAIL_OPEN and frame.pusher_sp > sp and self.is_intact(frame):
                return frame
            frame = self.below(frame)

    def root(self, top):
        frame = top
        while not frame.is_root:
            frame = self.below(frame)
        return frame


# --- paths ----------------------------------------------------------------------------------------------


class Path:
    """From the last callee towards the root: a name each, and where it was called. One call more than `limit` at the least (0: all)."""

    def __init__(self, memory, program, stack, limit):
        self.memory, self.program, self.stack = memory, program, stack
        self.limit, self.steps = limit, []

    def place(self, file, line, column):
        name = self.memory.text(self.memory.follow(file)) if file else ""
        return f"{os.path.basename(name)}:{line}:{column}" if name and line else ""

    def step_by(self, name, caller, number):
        """`name` was called at that site of `caller`; then come the functions that were inlined around the call."""
        memory = self.memory
        ordinal, file, line, column, inlined = caller.location(number)
        self.steps.append((name, self.place(file, line, column) or f"#{ordinal}"))
        while inlined:
            subprogram = memory.follow(inlined + layout.INLINED_SUBPROGRAM_AT)
            name = (memory.text(memory.follow(subprogram + layout.SUBPROGRAM_LINKAGE_NAME_AT))
                    or memory.text(memory.follow(subprogram + layout.SUBPROGRAM_SOURCE_NAME_AT)))
            line = memory.number(inlined + layout.INLINED_CALL_LINE_AT)
            column, = memory.unpack("H", inlined + layout.INLINED_CALL_COLUMN_AT)
            file, outer = inlined + layout.INLINED_CALL_FILE_AT, memory.follow(inlined + layout.INLINED_OUTER_AT)
            self.steps.append((name, self.place(file if memory.follow(file) else caller.file_of(outer), line, column)))
            inlined = outer

    def acyclic(self, identity):
        """The path that an id names. Returns the function that it begins with, of which nobody told yet how it was called."""
        function = self.program.function(identity)
        caller = self.program.caller(function, identity)
        while caller:
            self.step_by(function.name(), caller[0], caller[2])
            function, identity = caller[:2]
            caller = self.program.caller(function, identity)
        return function

    def outside(self, pusher, number):
        """What the push called, if it is not instrumented and has a name."""
        flags = self.memory.number(pusher.site_at(number) + layout.SITE_FLAGS_AT)
        kind = flags & layout.SITE_KIND_MASK
        delta = pusher.deltas()[number] if number < pusher.delta_count else layout.DELTA_OPEN
        recursive = kind == layout.SITE_LOCAL and flags & layout.SITE_PUSHES
        if delta not in (layout.DELTA_OPEN, layout.DELTA_NONE, layout.DELTA_NOTED) or recursive or kind == layout.SITE_INDIRECT:
            return None
        name = pusher.callee_name(number)
        return self.memory.text(name) if name else None

    def push(self, frame, entered):
        """One push, by which `entered` was called. Returns the pusher's word and the frame that is from; None if they are lost."""
        parent = self.stack.parent(frame)
        word = frame.pusher_word()
        pusher = self.program.function(context_id(word, parent.prefix)) if parent else None
        site = pusher.site(frame.site) if pusher else None
        if site is None:
            self.steps += [(entered, "")] if entered else []
            return None
        outside = self.outside(pusher, site)
        if outside:
            self.steps += [(entered, "")] if entered else []
            entered = f"[{outside}]"
        if entered:
            self.step_by(entered, pusher, site)
        return word, parent

    def follow(self, word, frame):
        for _ in range(layout.STACK_FRAMES):
            if self.limit and len(self.steps) > self.limit:
                return
            identity = context_id(word, frame.prefix)
            entered = self.acyclic(identity).name() if identity else None
            if frame.is_root:
                self.steps += [(entered, "")] if entered else []
                self.steps += [(f"[signal {frame.tail}]", "")] if frame.tail else []
                return
            pushed = self.push(frame, entered)
            if not pushed:
                self.steps.append(("[unknown]", ""))
                return
            word, frame = pushed


# --- what is shown --------------------------------------------------------------------------------------


def static_thread_data(memory, symbol, pointer):
    """Where thread-local data of the executable is, whose symbol has that value, in the thread with that thread pointer: below it on x86-64, above it and
    two words of the C library's on AArch64."""
    program = next(iter(memory.debugger.objects(memory)))[1].of(Segments.TLS)
    if not program:
        raise Unknown("there is no __hcct_thread: the program is not instrumented, or lacks its symbols")
    _, size, align = program[0]
    if memory.debugger.architecture() == "aarch64":
        return pointer + max(16, align) + symbol
    return pointer - (size + align - 1) // align * align + symbol


def visible(text):
    """Names come from the program: what a terminal would obey, or what turns text around, is shown as an escape."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def show(debugger, steps, limit):
    if limit and len(steps) > limit:
        debugger.write("  (what led here is left out: hcct-context 0 shows all)")
        steps = steps[:limit]
    for name, place in reversed(steps):
        debugger.write(visible("  " + debugger.demangled(name) + ("  " + place if place else "")))


def show_unwound(debugger, wanted, sp):
    """What the debugger finds below the push at `sp` of that level, and nothing above main: frames whose caller called from there, or below."""
    names, frames = [], debugger.machine_frames()
    frame = next(frames, None)
    while frame: # a stack may have millions of frames: no more of them are asked for than are needed
        (level, own, name), frame = frame, next(frames, None)
        caller_sp = frame[1] if frame else MASK
        if level > wanted or (level == wanted and caller_sp > sp):
            break
        names += [name] if level == wanted else []
        if name == "main":
            break
    if names:
        debugger.write(f"  ... below, {debugger.name} finds on the stack:")
    for name in reversed(names):
        debugger.write(visible("      " + name))


def show_contexts(debugger, limit):
    """Of the selected thread, and of what signals interrupted in it. `limit`: calls of each, 0 for all. Raises Unknown."""
    try:
        memory = Memory(debugger)
        show_levels(debugger, memory, debugger.thread_data(memory), limit)
    except (Unreadable, ValueError, struct.error, StopIteration) as reason:
        raise Unknown(f"the data is damaged, or is not in the core file: {reason}") from None


def show_levels(debugger, memory, thread, limit):
    top, push_mask = (memory.word(thread + at) for at in (layout.THREAD_TOP_AT, layout.THREAD_PUSH_MASK_AT))
    program = Program(memory)
    stack = Stack(memory, program, push_mask == 0)
    sp = debugger.stack_pointer()
    for level in range(LEVELS):
        newest = stack.frame(top)
        show_context(stack, newest, sp, level, limit)
        root = stack.root(newest)
        if root.is_barrier or not root.tail:
            return
        interrupted = stack.below(root)
        sp, top = interrupted.sp, interrupted.tail
        debugger.write(f"what signal {root.tail} interrupted:")


def show_context(stack, top, sp, level, limit):
    debugger = stack.memory.debugger
    frame = stack.newest(top, sp)
    path = Path(stack.memory, stack.program, stack, limit)
    if frame:
        path.follow(frame.prefix, frame)
    debugger.write("context, as far as the newest push")
    show(debugger, path.steps, limit)
    show_unwound(debugger, level, frame.pusher_sp if frame else 0)
