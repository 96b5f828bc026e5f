// The paths of each argument's letters. `one` and `two` have frames of one size, `big` another.
#include <stdio.h>
#define OUT __attribute__((noinline))
int volatile sink;
OUT int leaf(int x) { return x + sink; }
OUT int one(int x) { return leaf(x) + 1; }
OUT int two(int x) { return leaf(x) * 3; }
OUT int big(int x) { char text[100]; snprintf(text, sizeof text, "%d", x); return leaf(x) + text[0]; }
OUT int chain(int x) { return one(x) - 5; }
int main(int argc, char **argv)
{
    (void)argc;
    for (const char *what = argv[1]; *what; what++)
        sink += *what == '1' ? one(1) : *what == '2' ? two(2) : *what == 'b' ? big(3) : chain(4);
    return 0;
}
