// recursion=fold: a walk over a tree that calls itself and a visitor through pointers.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/fold.sh %hcct-decode %t.0
// RUN: %hcct-cc -O2 -fno-optimize-sibling-calls -I%inputs %s -o %t.2 && sh %inputs/fold.sh %hcct-decode %t.2
#include "e2e.h"
#include "fold_book.h"

typedef void visitor(int at, int depth);

static void walk(int at, int depth);
static void (*volatile walk_pointer)(int, int) = walk;

static NOINLINE void leaf(int at)
{
    COUNT(at);
    work();
}

static NOINLINE void visit_one(int at, int depth)
{
    COUNT(at);
    leaf(AT(at, 0, leaf));
    work();
    (void)depth;
}

/* Walks again from inside. */
static NOINLINE void visit_two(int at, int depth)
{
    COUNT(at);
    if (depth == 4)
        walk(AT(at, 1, walk), 2);
    work();
}

static visitor *volatile visitors[] = { visit_one, visit_two };

static NOINLINE void walk(int at, int depth)
{
    COUNT(at);
    if (depth & 1)
        visitors[1](AT(at, 2, visit_two), depth + 1);
    else
        visitors[0](AT(at, 3, visit_one), depth);
    if (depth > 0) {
        walk_pointer(AT(at, 4, walk), depth - 1);
        walk_pointer(AT(at, 5, walk), depth - 2);
    }
    work();
}

int main(void)
{
    int at = AT(-1, 0, main);
    COUNT(at);
    walk(AT(at, 6, walk), 8);
    walk_pointer(AT(at, 7, walk), 3);
    book_print();
    return 0;
}
