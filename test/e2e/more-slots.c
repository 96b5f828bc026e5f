// More contexts than a thread has slots, in turns: it gets more on the way (runtime/grow.c), and every count stays exact; also in
// a child that is forked behind that, and in a second thread, which keeps its own. The profiler's memory stays within 8 MB and 512 KB
// for each of the two threads.
// RUN: %clang -O1 -DPLAIN -I%S/Inputs %s -o %t.plain -lpthread && %hcct-cc -O1 -I%S/Inputs -I%S/../../include %s -o %t.x -lpthread
// RUN: rm -rf %t && mkdir -p %t/hcct %t/cct && cd %t
// RUN: %t.plain > without && HCCT_OPTIONS=output=out.bin %t.x > with
// RUN: test $(($(cat with) - $(cat without))) -le $((8 * 1024 + 2 * 512))
// RUN: for mode in hcct cct; do HCCT_OPTIONS=mode=$mode:output=$mode/out %t.x > %t.out && for file in $mode/out*; do \
// RUN:   %hcct-decode --format=folded --all $file | LC_ALL=C sort > $file.txt; done || exit 1; done
// RUN: cmp hcct/out.txt cct/out.txt && cmp hcct/out.[0-9]*.txt cct/out.[0-9]*.txt
// RUN: grep -c '^main;walk;a.;b.;c.;d.;e. 40$' hcct/out.txt | FileCheck --check-prefix=ALL %s
// RUN: grep -c '^main;walk;a.;b.;c.;d.;e. 2$' hcct/out.[0-9]*.txt | FileCheck --check-prefix=ALL %s
// RUN: grep -c '^thread;walk;a.;b.;c.;d.;e0 3$' hcct/out.txt | FileCheck --check-prefix=SOME %s
// ALL: {{^}}32768{{$}}
// SOME: {{^}}4096{{$}}
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"
#ifndef PLAIN
#include "hcct/abi.h"
#endif

/* Five levels of eight functions, each of which calls one of the next: 8^5 paths, and 8^4 + 8^3 + … on the way. */
#define CALL(next, i) case i: next##i(path / 8); break;
#define CALLS(next) CALL(next, 0) CALL(next, 1) CALL(next, 2) CALL(next, 3) CALL(next, 4) CALL(next, 5) CALL(next, 6) CALL(next, 7)
#define LEAF(name) static NOINLINE void name(unsigned path) { worked += (int)path; }
#define CALLER(name, next) static NOINLINE void name(unsigned path) { work(); switch (path % 8) { CALLS(next) } }
#define LEVEL(name, next) CALLER(name##0, next) CALLER(name##1, next) CALLER(name##2, next) CALLER(name##3, next) \
    CALLER(name##4, next) CALLER(name##5, next) CALLER(name##6, next) CALLER(name##7, next)
LEAF(e0) LEAF(e1) LEAF(e2) LEAF(e3) LEAF(e4) LEAF(e5) LEAF(e6) LEAF(e7)
LEVEL(d, e)
LEVEL(c, d)
LEVEL(b, c)
LEVEL(a, b)

enum { PATHS = 8 * 8 * 8 * 8 * 8 };

static NOINLINE void walk(unsigned paths, int rounds)
{
    for (; rounds; rounds--)
        for (unsigned path = 0; path < paths; path++)
            switch (path % 8) { CALLS(a) }
}

/* Has the calling thread more slots now? */
static void expect_more_slots(bool more, const char *who)
{
#ifndef PLAIN
    unsigned long slots = __hcct_thread.slot_mask / sizeof(struct hcct_slot) + 1;
    if (slots != (more ? HCCT_MORE_SLOTS : HCCT_SLOTS)) {
        fprintf(stderr, "%s has %lu slots\n", who, slots);
        exit(1);
    }
#else
    (void)more;
    (void)who;
#endif
}

static void *thread(void *unused)
{
    walk(PATHS / 8, 3);
    expect_more_slots(false, "the second thread");
    return unused;
}

int main(void)
{
    pthread_t second;
    struct rusage usage;
    walk(PATHS, 40);
    expect_more_slots(true, "main");
    pid_t child = fork();
    if (!child) {
        walk(PATHS, 2);
        expect_more_slots(true, "the child");
        exit(0);
    }
    int status = 1;
    if (waitpid(child, &status, 0) != child || status)
        return 1;
    pthread_create(&second, NULL, thread, NULL);
    pthread_join(second, NULL);
    getrusage(RUSAGE_SELF, &usage);
    printf("%ld\n", usage.ru_maxrss);
    return 0;
}
