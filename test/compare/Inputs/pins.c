/* Pins a context that is as deep as it is told, tells it, and calls from 3000 others. */
#include <hcct/hcct.h>
#include <stdio.h>
#include <stdlib.h>

static volatile int worked;

__attribute__((noinline)) static void kept(void)
{
    char text[256];
    uint64_t context = hcct_context();
    hcct_context_describe(text, sizeof text);
    if (!hcct_context_pin())
        abort();
    printf("0x%016llx %s\n", (unsigned long long)context, text);
}

__attribute__((noinline)) static void down(int n)
{
    if (n)
        down(n - 1);
    else
        kept();
    worked++;
}

__attribute__((noinline)) static void other(int n)
{
    if (n)
        other(n - 1);
    worked++;
}

int main(int argc, char **argv)
{
    down(argc > 1 ? atoi(argv[1]) : 0);
    other(3000);
    return 0;
}
