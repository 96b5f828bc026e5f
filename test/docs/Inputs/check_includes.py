"""What scripts/includes finds in small projects, each made for one of its limits."""
import os
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(sys.argv[1], "scripts"))
import includes  # noqa: E402


def chain(folder, count, last):
    """Headers of which each includes the next one, and the last one `last`."""
    names = [f"{folder}/m{i}.h" for i in range(count)]
    return {name: f'#include "{follows}"\n' for name, follows in zip(names, names[1:] + [last])}


PROJECTS = [
    ({"pass/a/x.h": "", "pass/b/y.c": '#include "pass/a/x.h"\n'}, set()),
    ({"pass/a/x.h": '#include "pass/b/y.h"\n', "pass/b/y.h": "", "pass/b/z.c": '#include "pass/a/x.h"\n'},
     {"folders in a cycle: pass"}),
    (chain("format", 8, "format/m0.h"), set()),
    (chain("format", 9, "format/m0.h"), {"more than 8 modules in a cycle: format"}),
    ({"pass/x.h": "int f(int a);\nstatic inline int g(void) { return f(0); }\n", "pass/x.c": "int f(int a)\n{\n}\n"}, set()),
    ({"pass/x.h": "int f(int a);\n", "pass/x.S": "  .globl f\n"}, set()),
    ({"pass/x.h": "int f(int a);\n", "pass/y.c": "int f(int a)\n{\n}\n"}, {"declares what another module defines: pass"}),
    # what is declared elsewhere counts as an include
    ({"pass/a/x.h": "int f(void);\n", "pass/b/y.c": '#include "pass/a/x.h"\nint f(void)\n{\n}\n'},
     {"declares what another module defines: pass", "folders in a cycle: pass"}),
    ({"pass/a/x.h": "/* seam: y makes it. */\nint f(void);\n", "pass/b/y.c": '#include "pass/a/x.h"\nint f(void)\n{\n}\n'}, set()),
    ({"pass/a/x.h": "/* A header. */\n/* seam: y makes it. */\nint e(void);\n\nint f(void);\n", "pass/a/y.c": "int f(void)\n{\n}\n"},
     {"declares what another module defines: pass"}),
]

for files, expected in PROJECTS:
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
        sources = includes.Sources(root)
        found = includes.violations(sources)
        if found != expected:
            sys.exit(f"{sorted(files)[:3]}...: {sorted(found)}, not {sorted(expected)}")
        includes.print = lambda *_: None
        if includes.check(sources) != (1 if expected else 0):
            sys.exit(f"{sorted(files)[:3]}...: the check says the contrary")
