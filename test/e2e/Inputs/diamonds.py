# diamonds.py DEPTH: a C program with 2^DEPTH contexts, top_0 -> left_0 or right_0 -> top_1 -> ... It takes three ways
# through, given by bits, and `expect` prints their folded profile.
import sys

depth = int(sys.argv[1])
print('#include <stdio.h>\n#include <string.h>\n#include "e2e.h"')
print("static unsigned char way[%d];" % depth)
print("static NOINLINE void top_%d(void) { work(); }" % depth)
for i in reversed(range(depth)):
    for side in ("left", "right"):
        print(f"static NOINLINE void {side}_{i}(void) {{ top_{i + 1}(); work(); }}")
    print(f"static NOINLINE void top_{i}(void) {{ if (way[{i}]) right_{i}(); else left_{i}(); work(); }}")
ways = [[0] * depth, [i % 2 for i in range(depth)], [1] * depth]
print("static const unsigned char ways[3][%d] = {%s};" % (depth, ",".join("{" + ",".join(map(str, w)) + "}" for w in ways)))
print("int main(int argc, char **argv) {")
print("    (void)argc;")
print('    if (strcmp(argv[1], "expect")) {')
print("        for (int i = 0; i < 3 * 2; i++) { memcpy(way, ways[i / 2], sizeof way); top_0(); }")
print("        return 0;\n    }")
counts = {"main": 1}
for w in ways:
    path = "main;top_0"
    counts[path] = counts.get(path, 0) + 2
    for i in range(depth):
        for frame in (("right" if w[i] else "left") + f"_{i}", f"top_{i + 1}"):
            path += ";" + frame
            counts[path] = counts.get(path, 0) + 2
for path in sorted(counts, key=lambda p: p.split(";")):
    print(f'    puts("{path} {counts[path]}");')
print("    return 0;\n}")
