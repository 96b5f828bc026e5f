/* A program that knows its own paths: a hash of the call sites for each call, kept by code that is inlined, so
 * that it is no context. What enter() does with it, the test says. */
#include <stdint.h>
#include <stdlib.h>

#include "e2e.h"

enum { DEEPEST = 64 };

#define BOOK static inline __attribute__((always_inline))

static _Thread_local uint64_t path[DEEPEST];
static _Thread_local unsigned depth;

/* Of the function `number`, which was called by the newest site of the path. */
BOOK void enter(uint64_t number);

/* What tells this call's context apart; never 0. */
BOOK uint64_t key_of(uint64_t number)
{
    return (path[depth] * 31 + number) * 0x9e3779b97f4a7c15u | 1;
}

/* On the path, the call site `number`. */
BOOK void go_down(uint64_t number)
{
    if (depth + 1 == DEEPEST)
        abort();
    path[depth + 1] = (path[depth] ^ number) * 0x2545f4914f6cdd1du;
    depth++;
}

#define CALL(number, call)                                                                                   \
    do {                                                                                                     \
        go_down(number);                                                                                     \
        call;                                                                                                \
        depth--;                                                                                             \
    } while (0)

/* --- a random walk by calls of each other, through pointers and through qsort ------------------------------- */

static _Thread_local uint64_t state;

BOOK unsigned next(unsigned limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 40) % limit;
}

typedef void function(int);
static NOINLINE void a(int n), b(int n), c(int n);
static function *volatile functions[] = { a, b, c };

static NOINLINE void leaf(void)
{
    enter(1);
}

static int compare(const void *left, const void *right)
{
    enter(2);
    if (*(const int *)left == 1)
        CALL(20, leaf());
    return *(const int *)left - *(const int *)right;
}

static NOINLINE void a(int n)
{
    enter(3);
    CALL(30, leaf());
    if (n && next(2))
        CALL(31, b(n - 1));
    if (n && next(3) == 0)
        CALL(32, c(n - 1));
}

static NOINLINE void b(int n)
{
    enter(4);
    int numbers[] = { 2, 1 };
    if (n)
        CALL(40, functions[next(3)](n - 1));
    if (next(4) == 0)
        CALL(41, qsort(numbers, 2, sizeof *numbers, compare));
}

static NOINLINE void c(int n)
{
    enter(5);
    if (n && next(2))
        CALL(50, c(n - 1));
    CALL(51, leaf());
}
