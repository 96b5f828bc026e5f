# harmless.py HARMLESS.c PUSHING.txt LLVM-ROOT MAJOR...: the list in HARMLESS.c is sorted, fits its buffer and has nothing
# twice; every library function that LLVM knows is either there or in PUSHING.txt. Fails with what is wrong.
# usage to renew PUSHING.txt: harmless.py --print-pushing HARMLESS.c PUSHING.txt LLVM-ROOT MAJOR...
import os
import re
import sys

print_pushing = sys.argv[1] == "--print-pushing"
harmless_path, pushing_path, root, *majors = sys.argv[1 + print_pushing:]
with open(harmless_path) as file:
    code = file.read()
table = re.search(r"names\[\] = \{(.*?)\};", code, re.S).group(1)
room = int(re.search(r"char text\[(\d+)\];", code).group(1))
harmless = re.findall(r'"([^"]*)"', table)
pushing = []
if not print_pushing:
    with open(pushing_path) as file:
        pushing = [line.strip() for line in file if line.strip() and not line.startswith("#")]


def library_functions(major):
    folder = os.path.join(root, f"llvm-{major}", "include/llvm/Analysis")
    for name, pattern in (("TargetLibraryInfo.def", r'TLI_DEFINE_STRING_INTERNAL\("([^"]*)"\)'),
                          ("TargetLibraryInfo.td", r'TargetLibCall<\s*"([^"]*)"')):
        path = os.path.join(folder, name)
        if os.path.exists(path):
            with open(path) as file:
                return re.findall(pattern, file.read())
    return None


wrong = []
for what, names in (("harmless.c", harmless), ("pushing list", pushing)):
    for a, b in zip(names, names[1:]):
        if a.encode() >= b.encode():
            wrong.append(f"{what}: {b} does not come after {a}")
wrong += [f"{name} is in both lists" for name in sorted(set(harmless) & set(pushing))]
wrong += [f"{name} does not fit the buffer" for name in harmless if len(name) >= room]
known, seen = set(harmless) | set(pushing), set()
for major in majors:
    names = library_functions(major)
    if names is None:
        continue
    if len(names) < 400:
        wrong.append(f"only {len(names)} library functions found in LLVM {major}")
    seen |= set(names)
    print(f"LLVM {major}: {len(names)} library functions")
    wrong += [f"LLVM {major}: {name} is in neither list" for name in names if name not in known]
if print_pushing:
    print("\n".join(sorted(seen - set(harmless))))
    sys.exit(0)
print("\n".join(wrong))
sys.exit(1 if wrong or not seen else 0)
