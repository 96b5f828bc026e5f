"""Who includes whom in the product. A module is X.c (or X.cpp, X.S) and X.h together; it needs the modules whose headers it
includes, and, if a function that X.h declares is defined elsewhere, the module that defines it: such a declaration would hide
a cycle. Seams, which open a cycle on purpose, are left out: a comment with `seam: WHY` stands for the declarations below it, up
to the next comment or empty line, and in the first comment of a header for all of that header."""
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOPS = ["runtime", "format", "encoding", "decoder", "pass", "include"]
CYCLE_MODULES_MAX = 8
COMMENTS = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|' + r"'(?:\\.|[^'\\\n])*'", re.S)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+[<"]([^>"]+)[>"]', re.M)
WORDS_THAT_ARE_NO_NAMES = {"if", "while", "for", "switch", "return", "sizeof", "defined", "_Static_assert", "static_assert",
                           "__attribute__", "asm", "__asm__", "_Alignas", "alignas", "_Noreturn", "__declspec"}


def blank(match):
    return '""' if match.group(0)[0] in "\"'" else " "


def without_bodies(text):
    """The text at file scope: what stands in braces is `{}`, but for those of extern "C" and namespaces."""
    text = re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", "", COMMENTS.sub(blank, text), flags=re.M)
    text = re.sub(r'(extern ""|namespace \w*)\s*\{', " ", text)
    out, depth = [], 0
    for char in text:
        if char == "{":
            if depth == 0:
                out.append("{}")
            depth += 1
        elif char == "}":
            depth = max(0, depth - 1)
        elif depth == 0:
            out.append(char)
    return "".join(out)


def function_name(statement):
    """The name of the function that `statement` declares, or None."""
    statement = re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)|\b[A-Z][A-Z0-9_]+\s*\([^()]*\)", " ", statement)
    if re.match(r"\s*(typedef|struct \w+\s*\{|static\b|_Static_assert|enum)", statement) or "=" in statement:
        return None
    match = re.search(r"(?<![\w(])([A-Za-z_]\w*)\s*\(", statement)
    before = statement[:match.start()] if match else ""
    if not match or match.group(1) in WORDS_THAT_ARE_NO_NAMES or not re.search(r"\w", before) or "(" in before:
        return None
    return match.group(1)


def without_seams(text):
    """A header without the declarations that are marked as seams."""
    first = COMMENTS.search(text)
    if first and "seam: " in first.group(0):
        return ""
    return re.sub(r"/\*(?:[^*]|\*(?!/))*\bseam: (?:[^*]|\*(?!/))*\*/(?:(?!\n[ \t]*\n|/\*).)*", "", text, flags=re.S)


class Sources:
    def __init__(self, root):
        self.root = root
        self.files = {}
        for top in TOPS:
            for folder, folders, names in os.walk(os.path.join(root, top)):
                folders.sort()
                for name in sorted(names):
                    if name.endswith((".c", ".h", ".cpp", ".S")):
                        path = os.path.relpath(os.path.join(folder, name), root)
                        with open(os.path.join(root, path), encoding="utf-8") as file:
                            self.files[path] = file.read()
        self.modules = sorted({os.path.splitext(path)[0] for path in self.files})
        self.includes = defaultdict(Counter)  # module -> module -> how often
        self.foreign = []  # (header, function, module that defines it)
        self.read_includes()
        self.read_declarations()

    def resolve(self, path, name):
        for base in (os.path.dirname(path), "", "include"):
            candidate = os.path.normpath(os.path.join(base, name))
            if candidate in self.files:
                return os.path.splitext(candidate)[0]
        return None

    def read_includes(self):
        for path, text in self.files.items():
            module = os.path.splitext(path)[0]
            for name in INCLUDE.findall(text):
                other = self.resolve(path, name)
                if other and other != module:
                    self.includes[module][other] += 1

    def read_declarations(self):
        definitions = defaultdict(set)
        for path, text in self.files.items():
            module = os.path.splitext(path)[0]
            if path.endswith(".S"):
                for name in re.findall(r"^\s*\.globa?l\s+(\w+)", text, re.M):
                    definitions[name].add(module)
            elif not path.endswith(".h"):
                for statement in re.findall(r"[^;{}]*\{\}", without_bodies(text)):
                    name = function_name(statement)
                    if name:
                        definitions[name].add(module)
        for path, text in self.files.items():
            module = os.path.splitext(path)[0]
            if not path.endswith(".h"):
                continue
            for statement in re.findall(r"[^;{}]*;", without_bodies(without_seams(text))):
                name = function_name(statement)
                defined = definitions.get(name, set())
                program = {other for other in defined if other.split("/")[0] == module.split("/")[0]}
                defined = program or defined  # pass and runtime may have functions of one name
                if name and module not in defined and not module.startswith("include/"):
                    for other in sorted(defined):
                        self.foreign.append((path, name, other))
                        self.includes[module][other] += 1

    def folder_edges(self):
        edges = defaultdict(Counter)
        for module, others in self.includes.items():
            for other, count in others.items():
                if os.path.dirname(module) != os.path.dirname(other):
                    edges[os.path.dirname(module)][os.path.dirname(other)] += count
        return edges

    def folder_sizes(self):
        return Counter(os.path.dirname(path) for path in self.files)


def cycles(nodes, edges):
    """The strongly connected components of more than one node (Tarjan), each sorted, largest first."""
    index, low, on_stack, stack, found = {}, {}, set(), [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        on_stack.add(node)
        for other in edges.get(node, ()):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in on_stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            component = []
            while not component or component[-1] != node:
                component.append(stack.pop())
                on_stack.discard(component[-1])
            if len(component) > 1:
                found.append(sorted(component))

    sys.setrecursionlimit(10000)
    for node in nodes:
        if node not in index:
            visit(node)
    return sorted(found, key=lambda members: (-len(members), members))


def within(sources, folder):
    modules = [module for module in sources.modules if os.path.dirname(module) == folder]
    edges = {module: Counter({other: count for other, count in sources.includes[module].items() if other in modules})
             for module in modules}
    return modules, edges


def show(sources):
    sizes = sources.folder_sizes()
    for folder in sorted(sizes):
        print(f"{sizes[folder]:4} files  {folder}")
    for what, found in (("modules", cycles(sources.modules, sources.includes)),
                        ("folders", cycles(sorted(sizes), sources.folder_edges()))):
        print(f"\n{len(found)} cycles between {what}")
        for members in found:
            print(f"  {len(members)}: {' '.join(members)}")
    print(f"\n{len(sources.foreign)} functions are declared in the header of another module than defines them")
    for header, name, module in sources.foreign:
        print(f"  {header}: {name} is in {module}")


def top(path):
    return path.split("/")[0]


def violations(sources):
    """What exceeds a limit."""
    found = set()
    for members in cycles(sorted(sources.folder_sizes()), sources.folder_edges()):
        found.update("folders in a cycle: " + top(member) for member in members)
    for folder in sources.folder_sizes():
        for members in cycles(*within(sources, folder)):
            if len(members) > CYCLE_MODULES_MAX:
                found.add(f"more than {CYCLE_MODULES_MAX} modules in a cycle: {folder}")
    for header, _, _ in sources.foreign:
        found.add(f"declares what another module defines: {top(header)}")
    return found


def check(sources):
    found = violations(sources)
    for text in sorted(found):
        print(f"{text} (scripts/includes tells which)")
    return 1 if found else 0


def draw(sources, path, folder):
    if folder:
        nodes, edges = within(sources, folder.rstrip("/"))
    else:
        nodes, edges = sorted(sources.folder_sizes()), sources.folder_edges()
    in_cycle = {node: i for i, members in enumerate(cycles(nodes, edges)) for node in members}
    lines = ["digraph includes { rankdir=TB; node [shape=box, fontname=Helvetica]; edge [fontname=Helvetica, fontsize=10];"]
    for node in nodes:
        lines.append(f'"{node}" [label="{os.path.basename(node) if folder else node}"'
                     f'{", color=red" if node in in_cycle else ""}];')
        for other, count in sorted(edges.get(node, {}).items()):
            red = in_cycle.get(node, -1) == in_cycle.get(other, -2)
            lines.append(f'"{node}" -> "{other}" [label="{count}"{", color=red" if red else ""}];')
    kind = os.path.splitext(path)[1].lstrip(".") or "svg"
    subprocess.run(["dot", "-T" + kind, "-o", path], input="\n".join(lines + ["}"]), text=True, check=True)


def main(arguments):
    root = ROOT
    if arguments[:1] == ["--root"]:
        root, arguments = arguments[1], arguments[2:]
    if len(arguments) > 2 or (arguments and arguments[0].startswith("-") and arguments != ["--check"]):
        print("usage: scripts/includes [--check | FILE.svg [FOLDER]]", file=sys.stderr)
        return 2
    sources = Sources(root)
    if arguments == ["--check"]:
        return check(sources)
    if arguments:
        draw(sources, arguments[0], arguments[1] if len(arguments) > 1 else None)
    else:
        show(sources)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
