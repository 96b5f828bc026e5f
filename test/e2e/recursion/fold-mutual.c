// recursion=fold: functions that call each other in a cycle, entered at both ends: only the call that closes the cycle folds.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/fold.sh %hcct-decode %t.0
// RUN: %hcct-cc -O2 -fno-optimize-sibling-calls -I%inputs %s -o %t.2 && sh %inputs/fold.sh %hcct-decode %t.2
#include "e2e.h"
#include "fold_book.h"

static int odd(int at, int n);

static NOINLINE void leaf(int at)
{
    COUNT(at);
    work();
}

/* Called from main first and more often, so that the cycle is closed by odd's call. */
static NOINLINE int even(int at, int n)
{
    COUNT(at);
    leaf(AT(at, 0, leaf));
    int steps = n ? 1 + odd(AT(at, 0, odd), n - 1) : 0;
    work();
    return steps;
}

static NOINLINE int odd(int at, int n)
{
    COUNT(at);
    int steps = 0;
    if (__builtin_expect(n != 0, 0))
        steps = 1 + even(AT(at, 1, even), n - 1);
    leaf(AT(at, 0, leaf));
    work();
    return steps;
}

int main(void)
{
    int at = AT(-1, 0, main), steps = 0;
    COUNT(at);
    steps += even(AT(at, 0, even), 9);
    steps += odd(AT(at, 0, odd), 1000);
    book_print();
    return steps != 1009;
}
