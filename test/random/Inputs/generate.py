#!/usr/bin/env python3
"""generate.py SEED FOLDER [c|cpp]: writes a random program that keeps its own books (book.h) into FOLDER.

Its functions, in several files, call each other directly, recursively, through pointers and virtual tables, in tail position,
out of qsort, bsearch and a library that is not instrumented, out of signal handlers, a timer's handler, which strikes anywhere,
handlers of atexit, threads, fibers (also of fibers), destructors, and plugins that are loaded for a call; they fork anywhere, and
leave by return, longjmp, exceptions, pthread_exit and exit. Their arguments and results are of many types and calling
conventions; each is checked, as are values that are kept across the calls. What a run does is drawn from the program's own
generator, so it is the same each time and in every build; but for the timer's handler, which the books tell apart.

Some have a ladder: functions that never run, each of which calls the next one twice. So 2^RUNGS paths lead to the functions at its
end, and what takes a word for another one's by its id is nearly always wrong.

Tail calls lead from a function to a later one only: of a loop made of tail calls the profile shows one lap. A tail call
goes to instrumented code only (README, Limits).
"""
import json
import os
import random
import sys

BASE = "struct node *up, int at, int depth, long v"


class Kind:
    """A prototype: parameters after BASE, the arguments made from n, the test of the parameters, the result made from v."""

    def __init__(self, name, returns, parameters="", arguments="", broken="0", result="v * 31 + 1", same="r == ({})", attribute="",
                 must=True):
        self.name, self.returns, self.attribute, self.must = name, returns, attribute, must
        self.parameters, self.arguments, self.broken, self.result, self.same = parameters, arguments, broken, result, same


def longs(count):
    return (", ".join([""] + [f"long a{i}" for i in range(count)]), ", ".join([""] + [f"n * {i} + {i * i}" for i in range(count)]),
            " || ".join(f"a{i} != v * {i} + {i * i}" for i in range(count)))


FLOATS = (", ".join([""] + [f"double a{i}" for i in range(10)]), ", ".join([""] + [f"n * {i}.5" for i in range(10)]),
          " || ".join(f"a{i} != v * {i}.5" for i in range(10)))
VECTORS = (", ".join([""] + [f"v4 a{i}" for i in range(10)]), ", ".join([""] + [f"make_v4(n + {i})" for i in range(10)]),
           " || ".join(f"!same_v4(a{i}, make_v4(v + {i}))" for i in range(10)))


def many(name, attribute="", must=True, count=11):
    return Kind(name, "long", *longs(count), attribute=attribute, must=must)


KINDS = [
    Kind("void", "void", result="", same=""),
    many("many"),
    Kind("floats", "double", *FLOATS, result="v * 0.25"),
    Kind("big", "struct big", ", struct big a, struct big b", ", make_big(n), make_big(n + 9)",
         "!same_big(a, make_big(v)) || !same_big(b, make_big(v + 9))", "make_big(v - 1)", "same_big(r, {})", must=False),
    # No structure that lies on the stack: clang 19 overwrites it in tail calls.
    Kind("pair", "struct pair", ", struct pair a, int b", ", make_pair_of(n), 7", "!same_pair(a, make_pair_of(v)) || b != 7", "make_pair_of(v + 3)",
         "same_pair(r, {})"),
    Kind("variadic", "long", ", int n, ...", ", (int)(n % 9), VARIADIC(n)", must=False),
    Kind("wide", "__int128", ", __int128 a, long double b, __int128 c", ", (__int128)n << 70, n / 3.0L, (__int128)-n",
         "a != (__int128)v << 70 || b != v / 3.0L || c != (__int128)-v", "((__int128)v << 65) + v"),
    Kind("longdouble", "long double", ", long double a, float b, long double c", ", n * 1.25L, (float)n, n * 0.5L",
         "a != v * 1.25L || b != (float)v || c != v * 0.5L", "v * 2.5L"),
    Kind("vector", "v4", *VECTORS, result="make_v4(v * 2)", same="same_v4(r, {})"),
    Kind("narrow", "signed char", ", signed char a, short b, _Bool c, unsigned char d, unsigned short e",
         ", (signed char)n, (short)(n * 99), n & 1, (unsigned char)-n, (unsigned short)(n * 7)",
         "a != (signed char)v || b != (short)(v * 99) || c != (v & 1) || d != (unsigned char)-v || e != (unsigned short)(v * 7)",
         "(signed char)(v * 3)"),
]
CONVENTIONS = [
    many("preserve_most", "__attribute__((preserve_most))", False),
    many("preserve_all", "__attribute__((preserve_all))", False),
    many("ms_abi", "__attribute__((ms_abi))", False),
    many("regcall", "__attribute__((regcall))", False),
    Kind("regcall_big", "struct big", ", struct big a, double b", ", make_big(n), n * 0.5", "!same_big(a, make_big(v)) || b != v * 0.5",
         "make_big(v - 1)", "same_big(r, {})", "__attribute__((regcall))", False),
]
ANYWHERE = [  # conventions that keep no register that an unwinder would have to put back
    many("preserve_none", "PRESERVE_NONE", count=4),  # with more clang runs out of registers for tail calls through pointers
    many("preserve_none_many", "PRESERVE_NONE", False, 7),
    Kind("vectorcall", "v4", *VECTORS, result="make_v4(v * 2)", same="same_v4(r, {})", attribute="__attribute__((vectorcall))", must=False),
]

HEADER = """#include "book.h"
#ifdef __cplusplus
#define EXPORTED extern "C" __attribute__((used, visibility("default")))
#else
#define EXPORTED __attribute__((used, visibility("default")))
#endif
#if __has_attribute(preserve_none)
#define PRESERVE_NONE __attribute__((preserve_none))
#else
#define PRESERVE_NONE
#endif
#ifdef __cplusplus
#define _Bool bool
#endif
typedef float v4 __attribute__((vector_size(16)));
struct big { long w[9]; };
struct pair { long a; double b; };
INLINE struct big make_big(long n) { struct big b; for (int i = 0; i < 9; i++) b.w[i] = n * (i + 1); return b; }
INLINE int same_big(struct big a, struct big b) { int same = 1; for (int i = 0; i < 9; i++) same &= a.w[i] == b.w[i]; return same; }
INLINE struct pair make_pair_of(long n) { struct pair p; p.a = n * 5; p.b = n * 0.125; return p; }
INLINE int same_pair(struct pair a, struct pair b) { return a.a == b.a && a.b == b.b; }
INLINE v4 make_v4(long n) { float f = (float)n; v4 v = { f, f + 1, f * 2, -f }; return v; }
INLINE int same_v4(v4 a, v4 b) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3]; }
#define VARIADIC(n) (long)(n), (n) * 0.5, (long)(n) + 2, (n) * 1.5, (long)(n) + 4, (n) * 2.5, (long)(n) + 6, (n) * 3.5
#define READ_ALL(v, n, good) do { va_list list; va_start(list, n); good = n == (int)(v % 9); \\
    for (int i = 0; i < 4; i++) { good &= va_arg(list, long) == v + 2 * i; good &= va_arg(list, double) == v * (i + 0.5); } va_end(list); } while (0)
INLINE void pass_item(struct item *s, int n, struct node *up, int at, int depth) {
    for (int k = 0; k < n; k++) { s[k].up = up; s[k].at = at; s[k].depth = depth; s[k].v = (long)draw(50); } }
INLINE void wipe(void) { __asm__ volatile("" ::: "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1", "xmm6", "xmm8", "xmm15", "memory"); }
"""


class Function:
    def __init__(self, index, kind, part, local, name):
        self.index, self.kind, self.part, self.local, self.name = index, kind, part, local, name


class Program:
    def __init__(self, seed, language=None):
        self.choose = choose = random.Random(seed)
        self.cpp = (language or choose.choice(["c", "c", "cpp"])) == "cpp"
        self.parts = choose.randint(2, 3)
        self.guards = self.cpp and choose.random() < 0.6  # destructors and jumps do not mix
        self.jumps = not self.guards
        self.deep_exit = choose.random() < 0.3
        self.exits_threads = choose.random() < 0.5
        self.serial = 0
        self.stack, self.tick_stack = (" | SA_ONSTACK" if choose.random() < p else "" for p in (0.3, 0.5))  # of main's thread only
        kinds = choose.sample(KINDS + ANYWHERE + ([] if self.cpp else CONVENTIONS), 4)
        self.plain = Kind("plain", "long")
        self.kinds = [self.plain] + kinds
        self.functions = []
        for kind in self.kinds:
            for _ in range(choose.randint(4, 6) if kind is self.plain else choose.randint(2, 4)):
                self.add(kind)
        # Names of vectorcall look like versioned symbols.
        self.plugins = choose.choice([0, 0, 1, 2]) if not any(kind.name == "vectorcall" for kind in kinds) else 0
        for name in ["compare", "compare", "handler", "handler3", "tick", "once", "atexit", "atexit", "thread", "leave", "specific", "constructor", "destructor"] + (
                ["virtual"] * 3 if self.cpp else ["cleanup", "cleanup"]) + (["guard"] * 2 if self.guards else []):
            self.add(name)
        for _ in range(choose.randint(0, 2)):  # defined in every file, kept once
            self.add(self.plain)
            self.functions[-1].part, self.functions[-1].local = None, False
        for plugin in range(self.plugins):
            for kind in [self.plain, self.plain, self.plain, *kinds, "compare"]:
                self.add(kind)
                self.functions[-1].part = self.parts + plugin
        choose.shuffle(self.functions)
        for index, function in enumerate(self.functions):
            function.index = index
        next(f for f in self.functions if f.kind is self.plain and f.part in range(self.parts)).local = False  # every file sees one
        self.rows = choose.randint(2, 4)
        self.rungs = choose.choice([0, 0, 20, 54, 60])
        self.state = choose.randrange(1 << 32)

    def add(self, kind):
        index = len(self.functions)
        local = self.choose.random() < 0.5 and kind not in ("virtual", "guard")
        name = f"{'cl' if kind == 'cleanup' else 'gd' if kind == 'guard' else 'fn'}{index}x"
        self.functions.append(Function(index, kind, self.choose.randrange(self.parts), local, name))

    # --- declarations

    @staticmethod
    def prototype(function):
        kind, name = function.kind, function.name
        if isinstance(kind, Kind):
            return f"{kind.attribute} {'static ' if function.local else ''}NOINLINE {kind.returns} {name}({BASE}{kind.parameters})"
        text = {
            "compare": f"int {name}(const void *a, const void *b)",
            "cleanup": f"void {name}(struct item *item)",
            "handler": f"void {name}(int number)",
            "tick": f"void {name}(int number)",
            "handler3": f"void {name}(int number, siginfo_t *info, void *machine)",
            "once": f"void {name}(void)",
            "atexit": f"void {name}(void)",
            "thread": f"void *{name}(void *argument)",
            "specific": f"void {name}(void *argument)",
            "constructor": f"__attribute__((constructor)) void {name}(void)",
            "destructor": f"__attribute__((destructor)) void {name}(void)",
            "leave": f"__attribute__((noreturn)) void {name}({BASE})",
            "virtual": f"long {name}::call({BASE})",
            "guard": f"{name}::~{name}()",
        }[kind]
        return text if kind in ("virtual", "guard") else f"{'static ' if function.local else ''}NOINLINE {text}"

    def header(self):
        lines = [HEADER]
        for kind in self.kinds:
            lines.append(f"typedef {kind.attribute} {kind.returns} type_{kind.name}({BASE}{kind.parameters});")
            lines.append(f"struct row_{kind.name} {{ long number; type_{kind.name} *first; struct {{ type_{kind.name} *second; }} inner; type_{kind.name} *third; }};")
        if self.cpp:
            lines.append(f"struct base {{ virtual long call({BASE}) = 0; }};")
        for f in self.functions:
            if f.kind == "virtual":
                lines.append(f"struct {f.name} : base {{ NOINLINE long call({BASE}) override; }}; extern {f.name} object_{f.name};")
            elif f.kind == "guard":
                lines.append(f"struct {f.name} {{ struct item item; NOINLINE ~{f.name}(); }};")
            elif not f.local:
                lines.append(self.prototype(f) + ";")
        own = [f for f in self.visible(None, self.plain)]
        for f in self.functions:
            if f.part is None:
                calls = "\n    ".join(self.call_as(self.plain, self.choose.choice(own).name) for _ in range(2))
                lines.append(f"{'inline' if self.cpp else '__attribute__((weak))'} {self.prototype(f)} {{ struct node *me = book_enter(up, at, {f.index}); "
                             f"if (self.fuel && depth < 12) {{ self.fuel--; if (draw(2))\n    {calls} }} {self.barrier()} return v * 31 + 1; }}")
        return "\n".join(lines) + "\n"

    def visible(self, part, kind):
        """A plugin sees the program and the plugins before it. What it would register may run behind it."""
        if kind == "atexit" and (part or 0) >= self.parts:
            return []
        return [f for f in self.functions if f.kind == kind and (f.part == part or not f.local and (f.part or 0) < max(self.parts, (part or 0) + 1))]

    def table(self, part, kind):
        return f"table_{kind.name}[draw({len(self.visible(part, kind))})]"

    def field(self, kind):
        return f"row_{kind.name}[draw({self.rows})]->{self.choose.choice(['first', 'inner.second', 'third'])}"

    # --- statements, each on one line

    def barrier(self):
        self.serial += 1
        return f'__asm__ volatile("# {self.serial}" ::: "memory");'

    def call_as(self, kind, callee):
        text = f"{callee}(me, AT(NOTHING), depth + 1, n{kind.arguments})"
        if kind.returns == "void":
            return f"{{ long n = draw(1000); {text}; {self.barrier()} }}"
        result = kind.result.replace("v", "n") if kind.returns != "v4" else "make_v4(n * 2)"
        return f"{{ long n = draw(1000); {kind.returns} r = {text}; {self.barrier()} if (!({kind.same.format(result)})) broken(__LINE__); }}"

    def call(self, part):
        """One call of an ordinary function, direct or through a pointer."""
        kind = self.choose.choice(self.kinds)
        while not self.visible(part, kind):
            kind = self.choose.choice(self.kinds)
        if self.choose.random() < 0.3:
            return self.call_as(kind, self.table(part, kind) if self.choose.random() < 0.6 else self.field(kind))
        return self.call_as(kind, self.choose.choice(self.visible(part, kind)).name)

    def simple(self, part):
        """A function of the prototype that the library takes, or a pointer to one."""
        if self.choose.random() < 0.5:
            return self.table(part, self.plain)
        return self.choose.choice(self.visible(part, self.plain)).name

    def jump_block(self, part):
        inner = " ".join(self.operation(part, False) for _ in range(self.choose.randint(1, 2)))
        after = self.call(part) if self.choose.random() < 0.4 else ""
        return (f"{{ struct target own; own.outer = self.target; own.catching = self.can_throw; int exits = self.can_exit; "
                f"if (!sigsetjmp(own.buffer, 1)) {{ self.target = &own; {inner} }} "
                f"self.target = own.outer; self.can_throw = own.catching; self.can_exit = exits; {after} }}")

    def try_block(self, part):
        inner = " ".join(self.operation(part, False) for _ in range(self.choose.randint(1, 2)))
        again = "if (catching && !draw(3)) throw; " if self.choose.random() < 0.5 else ""
        return (f"{{ int catching = self.can_throw, exits = self.can_exit; struct target *aims = self.target; try {{ self.can_throw = !self.is_tick; {inner} }} "
                f"catch (int) {{ self.can_throw = 0; self.can_exit = 0; self.target = NULL; {self.call(part)} self.can_throw = catching; "
                f"self.target = aims; self.can_exit = exits; {again}}} self.can_throw = catching; }}")

    def operation(self, part, blocks=True):
        choose, visible = self.choose, self.visible
        b = self.barrier()
        options = [
            (8, lambda: self.call(part)),
            (3, lambda: "if (draw(2)) " + self.call(part)),
            (2, lambda: "for (int k = (int)draw(4); k-- > 0;) " + self.call(part)),
            (1, lambda: f"{{ char room[draw(400) + 16]; room[3] = 1; __asm__ volatile(\"\" :: \"r\"(room) : \"memory\"); {self.call(part)} }}"),
            (1, lambda: f"{{ char *room = (char *)alloca(draw(300) + 16); __asm__ volatile(\"\" :: \"r\"(room) : \"memory\"); }} {self.call(part)}"),
            (1, lambda: f"wipe(); {self.call(part)} wipe();"),
            (1, lambda: f"if (!self.is_tick) free(malloc(draw(100) + 1)); {self.call(part)}"),
            (2, lambda: f"{{ lib_call({self.simple(part)}, me, AT(LIB_CALL), depth + 1, (long)draw(1000)); {b} }}"),
            (1, lambda: f"{{ lib_call_pointer({self.simple(part)}, me, AT(NOTHING), depth + 1, (long)draw(1000)); {b} }}"),
            (1, lambda: f"{{ lib_both_pointer({self.simple(part)}, {self.simple(part)}, me, AT(NOTHING), depth + 1, (long)draw(1000)); {b} }}"),
            (1, lambda: f"if (!self.is_main && !self.is_tick) pthread_setspecific(book.key, (void *)(size_t)(draw(1000) + 1)); {b}"),
            (1, lambda: f"{{ lib_deeper({self.simple(part)}, me, AT(LIB_DEEPER), depth + 1, (long)draw(1000)); {b} }}"),
            (1, lambda: f"{{ lib_both({self.simple(part)}, {self.simple(part)}, me, AT(LIB_BOTH), depth + 1, (long)draw(1000)); {b} }}"),
            (1, lambda: f"if (book.names && !self.is_tick) {{ self.pass_depth = depth + 1; raise(draw(2) ? SIGUSR1 : SIGUSR2); {b} }}"),
            (1, lambda: f"if (self.is_main && book.handlers < 8 && book.limit >= 0) {{ book.handlers++; atexit({choose.choice(visible(part, 'atexit')).name}); {b} }}"
                if visible(part, "atexit") else ""),
            (1, lambda: f"{{ lib_once({choose.choice(visible(part, 'once')).name}, me, AT(LIB_ONCE), depth + 1); {b} }}" if visible(part, "once") else ""),
            (1, lambda: f"if (self.fibers < 4) {{ lib_fiber({self.simple(part)}, {self.simple(part)}, me, AT(LIB_FIBER), depth + 1, (long)draw(1000)); {b} }}"),
            (1, lambda: "" if self.cpp else f"lib_yield(); {b}"),
            (1, lambda: self.sort(part)),
            (1, lambda: f"if (self.fuel > 60 && !self.is_tick) {{ self.fuel -= 20; lib_plugin({choose.randrange(self.plugins)}, me, AT(LIB_PLUGIN), depth + 1, (long)draw(1000)); {b} }}"
                if self.plugins else ""),
            (1, lambda: f"if (self.forks > 0) {{ self.forks--; lib_fork(); }} {b}"),
            (1, lambda: f"if (self.is_main) lib_limit(); {b}"),
            (1, lambda: f"if (self.threads > 0 && book.limit >= 0) {{ self.threads--; pthread_t t[2]; for (int k = 0; k < 2; k++) if (pthread_create(&t[k], NULL, "
                f"{choose.choice(visible(part, 'thread')).name}, (void *)(size_t)draw(10000))) broken(__LINE__); for (int k = 0; k < 2; k++) pthread_join(t[k], NULL); {b} }}"
                if visible(part, "thread") else ""),
        ]
        if self.exits_threads:
            options.append((1, lambda: "if (self.can_exit && !draw(6)) pthread_exit(NULL);"))
        if self.deep_exit:
            options.append((1, lambda: "if (self.is_main && self.fuel < 300 && book.names && !book.exiting) { book.exiting = 1; book.exit_up = me; book.exit_at = AT(EXIT); exit(0); }"))
        if self.jumps:
            options += [
                (2, lambda: "if (self.target && !draw(4)) siglongjmp(self.target->buffer, 1);"),
                (1, lambda: "if (self.target && self.target->outer && !draw(6)) siglongjmp(self.target->outer->buffer, 1);"),
                (1, lambda: f"{{ lib_catch({self.simple(part)}, {self.simple(part)}, me, AT(LIB_CATCH), depth + 1, (long)draw(1000)); {b} }}"),
                (1, lambda: f"if (self.target && !draw(3)) {choose.choice(visible(part, 'leave')).name}(me, AT(NOTHING), depth + 1, (long)draw(1000));"
                    if visible(part, "leave") else ""),
            ]
            if blocks:
                options.append((2, lambda: self.jump_block(part)))
        if self.cpp:
            options += [
                (2, lambda: f"{{ long n = draw(1000); if (objects[draw({len(visible(part, 'virtual'))})]->call(me, AT(NOTHING), depth + 1, n) != n * 31 + 1) broken(__LINE__); {b} }}"),
                (1, lambda: f"if (self.can_throw && !draw(4)) throw (int)draw(100);"),
            ]
            if self.guards:
                options += [(2, lambda: f"{{ {choose.choice(visible(part, 'guard')).name} g{{{{me, 0, depth + 1, (long)draw(1000)}}}}; {self.call(part)} }}"),
                            (1, lambda: f"if (self.can_throw && !draw(3)) {choose.choice(visible(part, 'leave')).name}(me, AT(NOTHING), depth + 1, (long)draw(1000));"
                                if visible(part, "leave") else "")]
            if blocks:
                options.append((3, lambda: self.try_block(part)))
        elif visible(part, "cleanup"):
            options.append((1, lambda: f"{{ __attribute__((cleanup({choose.choice(visible(part, 'cleanup')).name}))) struct item item = {{ me, 0, depth + 1, (long)draw(1000) }}; {self.call(part)} }}"))
        return choose.choices([o[1] for o in options], [o[0] for o in options])[0]()

    def sort(self, part):
        compares = self.visible(part, "compare")
        if not compares:
            return ""
        name = self.choose.choice(compares).name
        if self.choose.random() < 0.5:
            return f"{{ struct item s[5]; pass_item(s, 5, me, AT(QSORT), depth + 1); qsort(s, draw(4) + 2, sizeof s[0], {name}); {self.barrier()} }}"
        return (f"{{ struct item s[7]; pass_item(s, 7, me, AT(BSEARCH), depth + 1); for (int k = 1; k < 7; k++) s[k].v = k * 8; "
                f"(void)!bsearch(s, s + 1, 6, sizeof s[0], {name}); {self.barrier()} }}")

    # --- functions

    def live(self):
        """Values that are kept across the body, in registers as far as they last: how they are made, how tested."""
        made, test = [], []
        for i in range(self.choose.randint(0, 7)):
            made.append(f'long k{i} = v * {i + 3}; __asm__ volatile("" : "+r"(k{i}));')
            test.append(f"k{i} != v * {i + 3}")
        for i in range(self.choose.randint(0, 4)):
            made.append(f'double d{i} = v * {i}.75; __asm__ volatile("" : "+x"(d{i}));')
            test.append(f"d{i} != v * {i}.75")
        if self.choose.random() < 0.3:
            made.append('v4 w = make_v4(v); __asm__ volatile("" : "+x"(w));')
            test.append("!same_v4(w, make_v4(v))")
        return " ".join(made), f"if ({' || '.join(test) or '0'}) broken(__LINE__);"

    def tails(self, function):
        """Tail calls of a function, each to another callee, so that no two become one; one of them through a pointer."""
        kind = function.kind
        if not isinstance(kind, Kind):
            return []
        later = [f for f in self.visible(function.part, kind) if f.index > function.index]
        self.choose.shuffle(later)
        arguments = f"(me, AT(NOTHING), depth + 1, n{kind.arguments})"
        must = "__attribute__((musttail)) " if kind.must and self.choose.random() < 0.7 else ""
        found = [f"{{ long n = v; {must}return {f.name}{arguments}; }}" for f in later[:2]]
        if later and self.choose.random() < 0.5:
            found.append(f"{{ long n = v; {must}return later_{kind.name}_{function.index}[draw({len(later)})]{arguments}; }}")
        return found

    def body(self, function):
        choose, kind, part = self.choose, function.kind, function.part
        made, test = self.live()
        number = function.index
        ordinary = isinstance(kind, Kind)
        result = kind.result if ordinary else {"compare": "x->v < y->v ? -1 : x->v > y->v", "thread": "NULL", "virtual": "v * 31 + 1"}.get(kind, "")
        enter = {
            "compare": f"const struct item *x = (const struct item *)a, *y = (const struct item *)b; struct node *me = book_enter(x->up, x->at, {number}); int depth = x->depth; long v = x->v;",
            "cleanup": f"struct node *me = book_enter(item->up, item->at, {number}); int depth = item->depth; long v = item->v;",
            "guard": f"struct node *me = book_enter(item.up, item.at, {number}); int depth = item.depth; long v = item.v;",
            "once": f"struct node *me = book_enter(self.pass_up, self.pass_at, {number}); int depth = self.pass_depth; long v = depth;",
            "atexit": f"struct node *me = book_enter(book.exit_up, book.exit_at, {number}); int depth = 6; long v = 5; book.exiting = 1; if (self.fuel < 60) self.fuel = 60;",
            "thread": f"struct node *me = book_enter(NULL, 0, {number}); int depth = 1; long v = (long)argument; self.state = (unsigned)v; self.fuel = 150; self.can_exit = 1; self.forks = {int(not self.plugins)}; /* the loader's lock may be another thread's */",
        }.get(kind, f"struct node *me = book_enter(up, at, {number});")
        if kind in ("specific", "constructor", "destructor"):
            enter = (f"struct node *me = book_enter({'book.exit_up' if kind == 'destructor' else 'NULL'}, {'book.exit_at' if kind == 'destructor' else 0}, {number}); "
                     f"int depth = 7; long v = {number}; self.fuel = 40;" + (" book.exiting = 1; book.handlers = 8; /* what is registered now runs behind the last page */" if kind == "destructor" else f" self.state = {number * 77}; self.is_main = 1;" if kind == "constructor" else ""))
        if kind in ("handler", "handler3"):
            enter = f"struct node *me = book_enter(NULL, (number == SIGUSR1 ? RAISED_USR1 : RAISED_USR2) << 20, {number}); int depth = self.pass_depth; long v = number; struct fiber *fiber = self.fiber; int fibers = self.fibers; self.fiber = NULL; self.fibers = 4; /* the next signal may take the same stack */"
        if kind == "tick":
            enter = f"struct self saved = tick_begin(); struct node *me = book_enter(NULL, TICK << 20, {number}); int depth = 8; long v = number;"
        shut = kind in ("handler", "handler3", "atexit", "guard", "cleanup", "specific", "constructor", "destructor")  # no exception and no thread's end leaves these
        lines = [self.prototype(function), "{", "    " + enter]
        if ordinary and kind.name == "variadic":
            lines.append("    { int good; READ_ALL(v, n, good); if (!good) broken(__LINE__); }")
        elif ordinary:
            lines.append(f"    if ({kind.broken}) broken(__LINE__);")
        lines.append("    " + made)
        if shut:
            lines.append("    int catching = self.can_throw, exits = self.can_exit; self.can_throw = 0; self.can_exit = 0;")
        if kind in ("atexit", "guard", "cleanup", "specific", "constructor", "destructor"):
            lines.append("    struct target *aims = self.target; self.target = NULL;")
        tails = self.tails(function)
        leave = "siglongjmp(self.target->buffer, 1);" if self.jumps else "throw 1;" if self.cpp else ""
        cases = choose.randint(2, 4)
        lines.append("    if (self.fuel && depth < 12) {\n        self.fuel--;")
        gotos = choose.random() < 0.2
        if gotos:
            lines.append(f"        {{ static void *const labels[] = {{ {', '.join(f'&&case{i}' for i in range(cases))} }};\n        goto *labels[draw({cases})]; }}")
        else:
            lines.append(f"        switch (draw({cases})) {{")
        for case in range(cases):
            lines.append(f"        case{case}: {{" if gotos else f"        case {case}: {{")
            for _ in range(choose.randint(1, 3)):
                lines.append("            " + self.operation(part))
            if tails and choose.random() < 0.6:
                lines.append("            " + test)
                lines.append("            " + tails.pop() + " }")
            else:
                lines.append("            goto done; }" if gotos else "            break; }")
        lines.append("        done:;" if gotos else "        }")
        lines.append("    }")
        lines.append("    " + test)
        if kind in ("atexit", "guard", "cleanup", "specific", "constructor", "destructor"):
            lines.append("    self.target = aims;")
        if shut:
            lines.append("    self.can_throw = catching; self.can_exit = exits;")
        if kind in ("handler", "handler3"):
            lines.append("    self.fiber = fiber; self.fibers = fibers;")
        if kind == "tick":
            lines.append("    tick_end(&saved);")
        if kind == "leave":
            lines.append("    " + leave)
        elif result:
            lines.append(f"    return {result};")
        return "\n".join(lines) + "\n}\n"

    def tables(self, part):
        lines = []
        for kind in self.kinds:
            functions = self.visible(part, kind)
            if functions:
                lines += self.structures(kind, functions)
                lines.append(f"static type_{kind.name} *volatile table_{kind.name}[] = {{ {', '.join(f.name for f in functions)} }};")
            for f in functions:
                later = [g.name for g in functions if g.index > f.index]
                if f.part == part and later:
                    lines.append(f"__attribute__((unused)) static type_{kind.name} *volatile later_{kind.name}_{f.index}[] = {{ {', '.join(later)} }};")
        if self.cpp:
            lines.append(f"static base *volatile objects[] = {{ {', '.join('&object_' + f.name for f in self.visible(part, 'virtual'))} }};")
        return lines

    def structures(self, kind, functions):
        """Rows of pointers, some of which the program changes before main, so that a field has more than its initializers say."""
        choose, name, fields = self.choose, kind.name, ["first", "inner.second", "third"]
        row = lambda: ", ".join(choose.choice(functions).name for _ in fields)
        changed = lambda: f"rows_{name}[{choose.randrange(self.rows)}].{choose.choice(fields)}"
        store = f"{changed()} = {choose.choice(functions).name};"
        copy = f"type_{name} *volatile from = {choose.choice(functions).name}; memcpy((void *)&{changed()}, (void *)&from, sizeof from);"
        return [f"static struct row_{name} rows_{name}[] = {{ {', '.join(f'{{ {i}, {row()} }}' for i in range(self.rows))} }};",
                f"static struct row_{name} *volatile row_{name}[] = {{ {', '.join(f'&rows_{name}[{i}]' for i in range(self.rows))} }};",
                f"__attribute__((constructor(101), no_profile_instrument_function)) static void change_{name}(void) {{ {choose.choice(['', store])} {choose.choice(['', copy])} }}"]

    def part(self, part):
        mine = [f for f in self.functions if f.part == part]
        lines = ['#include "program.h"']
        lines += [self.prototype(f) + ";" for f in mine if f.local]
        lines += [f"{f.name} object_{f.name};" for f in mine if f.kind == "virtual"]
        lines += self.tables(part)
        if part == 0:
            lines += self.ladder() + [self.main()]
        if part >= self.parts:
            entry = self.choose.choice([f for f in mine if f.kind is self.plain])
            lines.append(f"EXPORTED callback *entry = {entry.name};")
        lines += [self.body(f) for f in mine]
        return "\n".join(lines)

    def ladder(self):
        ends = " ".join(f"{f.name}(NULL, 0, 0, v); {self.barrier()}" for f in self.visible(0, self.plain))
        rungs = [f"static NOINLINE void rung{self.rungs}(long v) {{ {ends} }}"]
        for i in range(self.rungs - 1, -1, -1):
            rungs.append(f"static NOINLINE void rung{i}(long v) {{ rung{i + 1}(v); {self.barrier()} rung{i + 1}(v); {self.barrier()} }}")
        return ["static volatile int climbs;"] + rungs if self.rungs else []

    def main(self):
        names = ", ".join(f'"{f.name}"' for f in self.functions)
        specific = next(f for f in self.functions if f.kind == "specific")
        handlers = {kind: next((f for f in self.visible(0, kind)), None) for kind in ("handler", "handler3", "tick")}
        lines = [f'static const char *const names[] = {{ {names}, "main" }};', "int main(void)", "{",
                 f"    struct node *me = book_enter(NULL, 0, {len(self.functions)}); int depth = 0; long v = 1;",
                 f"    if (pthread_key_create(&book.key, {specific.name})) broken(__LINE__);",
                 f"    self.state = {self.state}u + book.run; self.fuel = 2500; self.is_main = 1; self.threads = 3; self.forks = 1;",
                 f"    {{ struct sigaction action; memset(&action, 0, sizeof action); action.sa_flags = SA_NODEFER{self.stack}; action.sa_handler = {handlers['handler'].name}; sigaction(SIGUSR1, &action, NULL); }}",
                 f"    {{ struct sigaction action; memset(&action, 0, sizeof action); action.sa_flags = SA_NODEFER | SA_SIGINFO{self.stack}; action.sa_sigaction = {handlers['handler3'].name}; sigaction(SIGUSR2, &action, NULL); }}",
                 f"    {{ struct sigaction action; memset(&action, 0, sizeof action); action.sa_flags = SA_RESTART{self.tick_stack}; action.sa_handler = {handlers['tick'].name}; sigaction(SIGALRM, &action, NULL); }}",
                 "    { static char room[1 << 20]; stack_t stack; memset(&stack, 0, sizeof stack); stack.ss_sp = room; stack.ss_size = sizeof room; sigaltstack(&stack, NULL); }",
                 "    if (climbs) rung0(v);" if self.rungs else "",
                 "    book.names = names;  /* and signals may be raised */",
                 "    start_ticks();",
                 "    for (int round = 0; round < 400 && self.fuel; round++) {", "        switch (draw(6)) {"]
        for case in range(6):
            lines.append(f"        case {case}:\n            {self.operation(0)}\n            break;")
        lines.append("        }\n    }\n    return v != 1 || depth;\n}\n")
        return "\n".join(lines)

    def write(self, folder):
        for kind in ("handler", "handler3", "tick", "specific"):
            for f in self.functions:
                if f.kind == kind:
                    f.local = f.local and f.part == 0
        os.makedirs(folder, exist_ok=True)
        suffix = "cpp" if self.cpp else "c"
        files = {"program.h": self.header()}
        parts = range(self.parts + self.plugins)
        for part in parts:
            files[f"part{part}.{suffix}"] = self.part(part)
        for name, text in files.items():
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
        return [f"part{part}.{suffix}" for part in parts]


if __name__ == "__main__":
    print(json.dumps(Program(int(sys.argv[1]), *sys.argv[3:]).write(sys.argv[2])))
