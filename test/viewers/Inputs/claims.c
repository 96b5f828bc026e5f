#include <stdlib.h>
#include <time.h>

__attribute__((noinline)) static long leaf(long n)
{
    volatile long sum = 0;
    for (long i = 0; i < n; i++)
        sum += i;
    return sum;
}

__attribute__((noinline)) static long middle(long n)
{
    free(malloc((size_t)n + 1));
    return leaf(n) + leaf(n / 2);
}

int main(void)
{
    long sum = 0;
    do { /* long enough for a tick */
        for (int i = 0; i < 1000; i++)
            sum += middle(i);
    } while (clock() < CLOCKS_PER_SEC / 10);
    return sum == 42;
}
