// Functions whose frames differ: buffers, saved registers, many arguments, none of these; called by name, through a pointer, and by
// tail calls. `variable` has no frame of a fixed size.
#include <alloca.h>
#include <stdio.h>

#define OUT __attribute__((noinline))
int volatile sink;

OUT int leaf(int x)
{
    sink += x;
    return x;
}
OUT int tail(int x)
{
    sink++;
    return leaf(x + 1);
}
OUT int buffer(int x)
{
    char text[100];
    snprintf(text, sizeof text, "%d", x);
    return leaf(x) + text[0];
}
OUT int many(int a, int b, int c, int d, int e, int f, int g, int h)
{
    return leaf(a + b) + leaf(c + d) * leaf(e + f) - leaf(g + h);
}
OUT int saved(int a, int b)
{
    int one = leaf(a), two = tail(b), three = buffer(one);
    return many(one, two, three, a, b, one, two, sink) + many(1, 2, 3, 4, 5, 6, three, 8) + leaf(one + two);
}
OUT int variable(int x)
{
    char *text = alloca(x + 20);
    snprintf(text, 20, "%d", x);
    return buffer(x) + text[0];
}
OUT int again(int n)
{
    return n ? again(n - 1) + leaf(n) : buffer(n);
}

int main(int argc, char **argv)
{
    int (*volatile pointer)(int, int) = saved;
    (void)argv;
    return saved(argc, 2) + pointer(3, argc) + variable(argc) + again(3) == 0;
}
