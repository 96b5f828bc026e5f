"""A program of many functions, and what its profiles must say.

    subset.py write COUNT        prints the program: command N runs main;commandN;stepN;leaf, leaf N + 1 times, where stepN is called
                                 through a pointer if N is even
    subset.py folded N...        prints the contexts of these runs together, as --format=folded does
"""
import sys


def write(count):
    print("#include <hcct/hcct.h>\n#include <stdio.h>\n#include <stdlib.h>\n")
    print("#define NOINLINE __attribute__((noinline))\nvolatile int work;")
    print('NOINLINE void leaf(int tell)\n{\n    work++;\n    if (tell)\n        printf("0x%016llx\\n", (unsigned long long)hcct_context());\n}')
    for n in range(count):
        print(f"NOINLINE void step{n}(int times)\n{{\n    while (times--)\n        leaf(!times);\n    work--;\n}}")
        print(f"void (*volatile to{n})(int) = step{n};")
        call = f"to{n}({n + 1})" if n % 2 == 0 else f"step{n}({n + 1})"
        print(f"NOINLINE void command{n}(void)\n{{\n    {call};\n    work--;\n}}")
    print("int main(int argc, char **argv)\n{\n    for (int i = 1; i < argc; i++)\n        switch (atoi(argv[i])) {")
    for n in range(count):
        print(f"        case {n}: command{n}(); break;")
    print("        }\n    return 0;\n}")


def folded(runs):
    lines = {f"main {len(runs)}"}
    for n in set(runs):
        path, times = f"main;command{n}", runs.count(n)
        lines |= {f"{path} {times}", f"{path};step{n} {times}", f"{path};step{n};leaf {times * (n + 1)}"}
    print("\n".join(sorted(lines)))


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[2:]]
    write(*numbers) if sys.argv[1] == "write" else folded(numbers)
