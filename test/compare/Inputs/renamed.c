/* Two functions that are alike. A run calls one of them. BUILD only makes another build of it. */
#include <stdlib.h>

volatile int sink;

static __attribute__((noinline)) void one(void) { sink++; }
static __attribute__((noinline)) void two(void) { sink--; }

__attribute__((noinline)) void alpha(void)
{
    one();
    two();
    sink = 1;
}

__attribute__((noinline)) void beta(void)
{
    one();
    two();
    sink = 2;
}

#ifdef BUILD
__attribute__((noinline)) void added(void) { sink = 3; }
#endif

int main(int argc, char **argv)
{
    if (argc > 1 && atoi(argv[1]))
        beta();
    else
        alpha();
    return 0;
}
