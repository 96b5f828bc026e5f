// recursion=fold: a qsort whose comparison sorts again, by the same call and by another.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/fold.sh %hcct-decode %t.0
// RUN: %hcct-cc -O2 -fno-optimize-sibling-calls -I%inputs %s -o %t.2 && sh %inputs/fold.sh %hcct-decode %t.2
#include "e2e.h"
#include "fold_book.h"

static int handed, depth;

static int compare(const void *a, const void *b);

static NOINLINE int difference(int at, int a, int b)
{
    COUNT(at);
    work();
    return a - b;
}

/* One comparison: an array of two. */
static NOINLINE void sort(int at, int *two)
{
    COUNT(at);
    int outer = handed;
    handed = AT(at, 1, [qsort]);
    qsort(two, 2, sizeof two[0], compare);
    handed = outer;
    work();
}

/* handed is a context of [qsort], below which it is entered without a site. */
static NOINLINE int compare(const void *a, const void *b)
{
    int at = AT(handed, 0, compare), two[] = { *(const int *)b, *(const int *)a };
    COUNT(at);
    if (depth < 5) {
        depth++;
        sort(AT(at, 2, sort), two);
        if (depth == 3) {
            int outer = handed;
            handed = AT(at, 3, [qsort]);
            qsort(two, 2, sizeof two[0], compare);
            handed = outer;
        }
        depth--;
    }
    return difference(AT(at, 0, difference), *(const int *)a, *(const int *)b);
}

int main(void)
{
    int at = AT(-1, 0, main), numbers[] = { 2, 1 };
    COUNT(at);
    sort(AT(at, 0, sort), numbers);
    book_print();
    return 0;
}
