#!/usr/bin/env python3
"""Holds hcct-decode's folded text against oracle (b): gcc's hooks on the same sources (hooks.c), function by function.

usage: compare_folded.py [--foreign] PROFILE.folded PROGRAM HOOKS.txt ORACLE-PROGRAM

PROFILE.folded is what `hcct-decode --format=folded --no-demangle --no-inlines --all` prints for a mode=cct run of
PROGRAM (clang -O0); HOOKS.txt what ORACLE-PROGRAM (g++ -O0 -no-pie -finstrument-functions) wrote. Both programs keep
their symbol tables: nm gives the addresses names.

What is normalised, on both sides, before contexts are compared; nothing else is:
  1. Bracket frames ([qsort], [signal 14]) are taken out of paths: the hooks see no code that is not instrumented.
  2. The file that tells local functions of equal names apart is taken off: nm does not know it.
  3. Complete and base object constructors (C1, C2), and destructors (D1, D2), count as one function: gcc gives both
     names to one body, clang at -O0 lets C1 call C2. A C2 right below a C1 of its class is the same call.
  4. Static initialisers (_GLOBAL__..., __static_initialization_and_destruction_0, __cxx_global_var_init...,
     __cxx_global_array_dtor, __tls_init, ...) are taken out: each compiler has its own. What they call stays.
  5. Thunks (_ZTh, _ZTv, _ZTc) are taken out: they are functions to clang; gcc's have no hooks.
  6. std::__shared_count's default constructor is taken out: it is constexpr, and gcc evaluates some of its calls.
  7. Only with --foreign, for C++: a function of which only one program has a body is taken out of the paths of that
     side, its callees move up to its caller: __clang_call_terminate, always_inline functions (gcc calls their hooks
     where they were inlined), std::move, std::forward and the like (clang takes them for builtins). How many there
     are is printed; without the option they stay, and are wrong.
"""
import re
import subprocess
import sys

SPECIAL = re.compile(r"^_GLOBAL__|^_Z\d+__static_initialization_and_destruction_|^__cxx_global_|^__tls_init$|^_ZTH|^__dtor_|^__tcf_|^_ZT[hvc]|^_ZNSt14__shared_countIL.*EEC[12]Ev$")
STRUCTOR = re.compile(r"(?<=[a-zA-Z_\d])([CD])1(?=[EIv]|$)")


def symbols(program):
    """address -> name, of functions; of several names the one that sorts first after rule 3"""
    table = {}
    text = subprocess.run(["nm", program], check=True, capture_output=True, text=True).stdout
    for line in text.splitlines():
        words = line.split()
        if len(words) == 3 and words[1] in "tTwWiuV":
            address = int(words[0], 16)
            table[address] = min(table.get(address, "\x7f"), words[2])
    return table


class Tree:
    """Counts of contexts under their normalised paths."""

    def __init__(self, is_foreign):
        self.numbers, self.steps, self.counts, self.is_foreign, self.dropped = {}, [], {}, is_foreign, {}

    def child(self, parent, name, count):
        """The context of `name` called in the context `parent`, with `count` more calls."""
        if name.startswith("[") or SPECIAL.search(name):
            return parent
        if self.is_foreign(name):
            self.dropped[name] = self.dropped.get(name, 0) + count
            return parent
        unified = STRUCTOR.sub(r"\g<1>2", name)
        if unified == name and parent is not None and self.steps[parent][1:] == (name, True):
            return parent  # rule 3
        key = (parent, unified, unified != name)
        number = self.numbers.setdefault(key, len(self.steps))
        if number == len(self.steps):
            self.steps.append(key)
        self.counts[number] = self.counts.get(number, 0) + count
        return number

    def path(self, number):
        names = []
        while number is not None:
            number, name, _ = self.steps[number]
            names.append(name)
        return tuple(reversed(names))


def read_folded(file, tree):
    """Lines are sorted by nothing in particular; a path's prefixes may have no line of their own."""
    known = {(): None}
    for line in file:
        text, count = line.rstrip("\n").rsplit(" ", 1)
        names = tuple(re.sub(r" \([^()]*\)$", "", name) for name in text.split(";"))
        at = len(names)
        while names[:at] not in known:
            at -= 1
        number = known[names[:at]]
        for i in range(at, len(names)):
            number = tree.child(number, names[i], 0)
            known[names[: i + 1]] = number
        # The last step again, now with its count.
        last = names[-1]
        parent = known[names[:-1]] if len(names) > 1 else None
        tree.child(parent, last, int(count))


def read_hooks(file, tree, names):
    numbers = []
    for line in file:
        parent, count, address = line.split()
        parent = numbers[int(parent)] if parent != "-1" else None
        numbers.append(tree.child(parent, names.get(int(address, 16), "0x" + address), int(count)))


def only_in(one, other):
    """the test of rule 7: does `name` of the one program have no body in the other?"""
    known = {STRUCTOR.sub(r"\g<1>2", name) for name in other.values()}
    return lambda name: STRUCTOR.sub(r"\g<1>2", name) not in known


def totals(tree):
    """path -> count"""
    table = {}
    for number, count in tree.counts.items():
        path = tree.path(number)
        table[path] = table.get(path, 0) + count
    return table


def main():
    profile, program, hooks, oracle = sys.argv[-4:]
    ours, theirs = symbols(program), symbols(oracle)
    if sys.argv[1] == "--foreign":
        mine, truth = Tree(only_in(ours, theirs)), Tree(only_in(theirs, ours))
    else:
        mine, truth = Tree(lambda name: False), Tree(lambda name: False)
    with open(profile, encoding="utf-8", errors="replace") as file:
        read_folded(file, mine)
    with open(hooks) as file:
        read_hooks(file, truth, theirs)
    have, want = totals(mine), totals(truth)
    wrong = [path for path in have.keys() | want.keys() if have.get(path, 0) != want.get(path, 0)]
    for path in sorted(wrong, key=lambda path: (len(path), path))[:20]:
        print(f"{have.get(path, 0)} instead of {want.get(path, 0)}: {';'.join(path)}")
    for side, tree in (("the profile", mine), ("the oracle", truth)):
        if tree.dropped:
            print(f"{len(tree.dropped)} functions ({sum(tree.dropped.values())} calls) only in {side}")
    print(f"{len(want)} contexts, {sum(want.values())} calls, {len(have)} in the profile, {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


main()
