// recursion=fold: longjmp out of a recursion, over frames that folded: later calls hang where they belong.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/fold.sh %hcct-decode %t.0
// RUN: %hcct-cc -O2 -fno-optimize-sibling-calls -I%inputs %s -o %t.2 && sh %inputs/fold.sh %hcct-decode %t.2
#include <setjmp.h>

#include "e2e.h"
#include "fold_book.h"

static jmp_buf target;

static NOINLINE void leaf(int at)
{
    COUNT(at);
    work();
}

static NOINLINE void sink(int at, int depth)
{
    COUNT(at);
    if (!depth)
        longjmp(target, 1);
    if (depth % 3) {
        sink(AT(at, 1, sink), depth - 1);
        work();
    } else {
        sink(AT(at, 2, sink), depth - 1);
    }
    work();
}

static NOINLINE void rise(int at, int depth)
{
    COUNT(at);
    if (depth) {
        rise(AT(at, 3, rise), depth - 1);
        leaf(AT(at, 0, leaf));
    } else if (!setjmp(target)) {
        sink(AT(at, 0, sink), 10);
    } else {
        leaf(AT(at, 0, leaf));
    }
    work();
}

int main(void)
{
    int at = AT(-1, 0, main);
    COUNT(at);
    for (int i = 0; i < 3; i++)
        rise(AT(at, 0, rise), 4);
    leaf(AT(at, 0, leaf));
    book_print();
    return 0;
}
