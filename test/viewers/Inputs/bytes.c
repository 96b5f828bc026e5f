/* Counts 101 bytes: 1 in main, 30 in f below it, 70 in f below g. */
#include <hcct/hcct.h>

__attribute__((noinline)) static void f(int n)
{
    hcct_count((uint64_t)n);
}

__attribute__((noinline)) static void g(void)
{
    f(70);
}

int main(void)
{
    f(30);
    g();
    hcct_count(1);
    return 0;
}
