"""usage: check_layers.py SOURCE CLANG FOLDER: what scripts/layers finds in small runtimes, each made for one of its limits"""
import importlib.machinery
import importlib.util
import os
import subprocess
import sys

source, compiler, folder = sys.argv[1:]
loader = importlib.machinery.SourceFileLoader("layers", os.path.join(source, "scripts", "layers"))
layers = importlib.util.module_from_spec(importlib.util.spec_from_loader("layers", loader))
loader.exec_module(layers)


def calls(name, *others):
    return "".join(f"void {other}(void);\n" for other in others) + f"void {name}(void)\n{{\n" + "".join(
        f"    {other}();\n" for other in others) + "}\n"


CASES = [  # the layers are low and high; what is found
    ({"low/a": calls("a"), "high/b": calls("b", "a")}, []),
    ({"low/a": calls("a", "b"), "high/b": calls("b")}, ["low/a calls b of high/b"]),
    ({"low/a": calls("a", "b"), "low/c": calls("c"), "high/b": calls("b", "c")}, ["low/a calls b of high/b", "high and low need"]),
    ({f"low/a{i}": calls(f"a{i}", f"a{(i + 1) % 4}") for i in range(4)}, []),
    ({f"low/a{i}": calls(f"a{i}", f"a{(i + 1) % 5}") for i in range(5)}, ["a circle of 5 objects"]),
    # a hook: the lower layer has a weak one
    ({"low/a": calls("a", "b"), "low/c": "__attribute__((weak)) " + calls("b").split("\n", 1)[0] + "\n{\n}\n", "high/b": calls("b", "a")}, []),
]

for number, (files, found) in enumerate(CASES):
    root = os.path.join(folder, str(number))
    objects = os.path.join(root, "build", "runtime", "CMakeFiles", "hcct_runtime.dir")
    for module, text in files.items():
        path = os.path.join(root, "runtime", module + ".c")
        for name in path, os.path.join(objects, module):
            os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        subprocess.run([compiler, "-c", path, "-o", os.path.join(objects, module + ".c.o")], check=True)
    with open(os.path.join(root, "runtime", "CMakeLists.txt"), "w", encoding="utf-8") as file:
        file.write("HCCT_LAYERS \"low;high\"\n")
    layers.ROOT = root
    bad = layers.report(layers.Program(os.path.join(root, "build"), "runtime"))
    missing = [text for text in found if not any(text in line for line in bad)]
    if missing or bool(bad) != bool(found):
        sys.exit(f"case {number}: found {bad}, not {missing}")
