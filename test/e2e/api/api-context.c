// hcct_context tells contexts apart: the same number in the same context, however often it is entered, another number
// in another one, also below recursion, pointers and callbacks, in handlers and in threads; 0 without instrumentation.
// RUN: %hcct-cc -O0 -I%hcct-source/include -I%inputs %s -lpthread -o %t.0 && HCCT_OPTIONS=output=%t.bin %t.0
// RUN: %hcct-cc -O2 -I%hcct-source/include -I%inputs %s -lpthread -o %t.2 && HCCT_OPTIONS=output=%t.bin %t.2
// RUN: %hcct-cc -O2 -flto -I%hcct-source/include -I%inputs %s -lpthread -o %t.l && HCCT_OPTIONS=output=%t.bin %t.l
// RUN: %clang -DPLAIN -I%hcct-source/include -I%inputs %s -lpthread -o %t.p && %t.p
#include <errno.h>
#include <hcct/hcct.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "e2e.h"

#ifdef PLAIN
int main(void)
{
    return hcct_context() != 0;
}
#else
#define CHECK(x) ((x) ? (void)0 : (fprintf(stderr, "line %d: %s\n", __LINE__, #x), exit(1)))

static uint64_t seen[64];
static int seen_count;

/* Takes note; `old`: what the context's number was before, as an index of `seen`, or -1. Calls nothing before. */
static void note(uint64_t context, int old)
{
    int found = -1;
    for (int i = 0; i < seen_count; i++)
        if (seen[i] == context)
            found = i;
    CHECK(context > 1);
    CHECK(found == old);
    if (found < 0)
        seen[seen_count++] = context;
}

static int expected;
static volatile int twice = 2;

/* Its loops stay loops: each copy of a call is a site of its own. */
#define TWICE _Pragma("clang loop unroll(disable)") for (int i = 0; i < twice; i++)

static NOINLINE uint64_t leaf(void)
{
    work();
    return hcct_context();
}

static NOINLINE void below(int n)
{
    uint64_t here = hcct_context();
    if (n)
        below(n - 1);
    work();
    CHECK(here == hcct_context()); /* also behind calls */
    note(here, expected < 0 ? -1 : expected + n);
}

static uint64_t (*volatile pointer)(void) = leaf;
static uint64_t from_compare[2], from_handler;

static int compare(const void *a, const void *b)
{
    from_compare[0] = hcct_context();
    from_compare[1] = leaf();
    return *(const int *)a - *(const int *)b;
}

static void handle(int signal)
{
    (void)signal;
    from_handler = hcct_context();
}

static void *run(void *result)
{
    *(uint64_t *)result = hcct_context();
    return NULL;
}

__attribute__((no_profile_instrument_function)) NOINLINE uint64_t plain(void)
{
    return hcct_context();
}

int main(void)
{
    int numbers[] = { 3, 1, 2 };
    uint64_t a, b, threads[2];
    pthread_t thread;
    note(hcct_context(), -1); /* 0 */
    a = leaf();
    b = leaf();
    note(a, -1); /* 1: another call site is another context */
    note(b, -1); /* 2 */
    TWICE
        note(pointer(), i ? 3 : -1); /* 3 */
    expected = -1;
    TWICE {
        below(3); /* the first time 4 to 7, innermost first */
        CHECK(seen_count == 8);
        expected = 4;
    }
    qsort(numbers, 3, sizeof numbers[0], compare);
    note(from_compare[0], -1);
    note(from_compare[1], -1);
    signal(SIGUSR1, handle);
    raise(SIGUSR1);
    a = from_handler;
    note(a, -1);
    from_handler = 0;
    kill(getpid(), SIGUSR1);
    CHECK(from_handler == a);
    TWICE {
        pthread_create(&thread, NULL, run, &threads[i]);
        pthread_join(thread, NULL);
    }
    CHECK(threads[0] == threads[1]);
    note(threads[0], -1);
    note(plain(), -1);
    note(hcct_context(), 0);
    errno = EDOM;
    (void)hcct_context();
    CHECK(errno == EDOM);
    return 0;
}
#endif
