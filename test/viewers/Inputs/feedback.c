/* What the format for clang's sample profiles is tested with. Calls, by hand; numbers behind @ are lines in the caller.
 *
 *     main 1
 *     ├─ @3 often 1 ─ @4 shared 100000 ─┬─ @3 work 99900   where x is no multiple of 1000
 *     │                                 └─ @3 work 100     where it is
 *     ├─ @4 once 1 ── @2 shared 1 ───────── @3 work 1      where it is none
 *     ├─ @5 tick 20000
 *     ├─ [qsort] ──── compare 1 ───────── @3 leaf 1        begins anew: [compare]
 *     └─ @8 recurse 1 ─ @3 recurse 1 ─ @3 recurse 1 ─ @3 recurse 1 ─ @4 leaf 1      the inner three are one context */
#include <stdio.h>
#include <stdlib.h>

#define TEN(statement) statement statement statement statement statement statement statement statement statement statement

volatile int sink, thousand = 1000;

int work(int x) /* too large to be inlined but where calls are hot */
{
    TEN(sink += x;) TEN(sink ^= x;) TEN(sink -= x;)
    return sink;
}

int shared(int x)
{
    int by = thousand;
    return x % by ? work(x) : 3 * work(-x);
}

int often(int n)
{
    int result = 0;
    for (int i = 0; i < n; i++)
        result ^= shared(i);
    return result;
}

int once(int n)
{
    return shared(2 * n + 1) + 1;
}

int tick(int x)
{
    return sink += x;
}

int leaf(int x)
{
    return x + sink;
}

int compare(const void *a, const void *b)
{
    int difference = *(const int *)a - *(const int *)b;
    return difference + (leaf(0) & 0);
}

int recurse(int n)
{
    if (n)
        return recurse(n - 1) + sink;
    return leaf(n);
}

int main(void)
{
    int two[] = { 2, 1 };
    int result = often(100 * thousand);
    result ^= once(thousand);
    for (int i = 20 * thousand; i > 0; i--) result ^= tick(i);
    qsort(two, 2, sizeof two[0], compare);

    result ^= recurse(thousand / 333);
    printf("%d\n", result);
    return 0;
}
