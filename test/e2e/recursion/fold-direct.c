// recursion=fold: functions that call themselves, fib and Ackermann, have a context for each order of their call sites.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/fold.sh %hcct-decode %t.0
// RUN: %hcct-cc -O2 -fno-optimize-sibling-calls -I%inputs %s -o %t.2 && sh %inputs/fold.sh %hcct-decode %t.2
#include "e2e.h"
#include "fold_book.h"

static NOINLINE unsigned fib(int at, unsigned n)
{
    COUNT(at);
    if (n < 2)
        return n;
    unsigned low = fib(AT(at, 1, fib), n - 2), high = fib(AT(at, 2, fib), n - 1);
    work();
    return low + high;
}

static NOINLINE unsigned ackermann(int at, unsigned m, unsigned n)
{
    COUNT(at);
    work();
    if (!m)
        return n + 1;
    if (!n)
        return ackermann(AT(at, 3, ackermann), m - 1, 1);
    return ackermann(AT(at, 4, ackermann), m - 1, ackermann(AT(at, 5, ackermann), m, n - 1));
}

int main(void)
{
    int at = AT(-1, 0, main);
    COUNT(at);
    unsigned sum = fib(AT(at, 0, fib), 18) + fib(AT(at, 0, fib), 1);
    sum += ackermann(AT(at, 0, ackermann), 2, 9);
    book_print();
    return sum != 2584 + 1 + 21;
}
