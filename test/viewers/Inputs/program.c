/* What every format for viewers is tested with. Worked out by hand, 19 calls:
 *
 *     main 1
 *     ├─ outer 3                    three calls in one line
 *     │  └─ middle (inlined)
 *     │     ├─ leaf 3
 *     │     └─ leaf 3               by another call site
 *     ├─ [qsort]
 *     │  └─ compare 1
 *     │     └─ leaf 2
 *     └─ recurse 1 ─ recurse 1 ─ recurse 1 ─ recurse 1 ─ recurse 1
 *                                                        └─ leaf 1 */
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

volatile int sink, twice = 2;

static NOINLINE int leaf(int x)
{
    sink++;
    return x + sink;
}

static inline __attribute__((always_inline)) int middle(int x)
{
    int first = leaf(x);
    int second = leaf(first);
    return first + second;
}

static NOINLINE int outer(int x)
{
    sink++;
    return middle(x) + sink;
}

static NOINLINE int compare(const void *a, const void *b)
{
    int difference = *(const int *)a - *(const int *)b;
    for (int i = 0; i < twice; i++)
        difference += leaf(i) & 0;
    return difference;
}

static NOINLINE int recurse(int n)
{
    sink++;
    return (n ? recurse(n - 1) : leaf(n)) + sink;
}

int main(void)
{
    int two[] = { 2, 1 };
    for (int i = 0; i <= twice; i++)
        sink += outer(i);
    qsort(two, 2, sizeof two[0], compare);
    return recurse(4) == 0;
}
