// More contexts than a thread has slots, in turns: it gets more on the way (runtime/count/grow.c), and every count stays exact; also in
// a child that is forked behind that, and in a second thread, which keeps its own. The profiler's memory stays within 8 MB and 512 KB
// for each of the two threads.
// RUN: %clang -O1 -DPLAIN -I%inputs %s -o %t.plain -lpthread && %hcct-cc -O1 -I%inputs -I%hcct-source/include %s -o %t.x -lpthread
// RUN: rm -rf %t && mkdir -p %t/hcct %t/cct && cd %t
// RUN: %t.plain > without && HCCT_OPTIONS=output=out.bin %t.x > with
// RUN: test $(($(cat with) - $(cat without))) -le $((8 * 1024 + 2 * 512))
// RUN: for mode in hcct cct; do HCCT_OPTIONS=mode=$mode:output=$mode/out %t.x > %t.out && for file in $mode/out*; do \
// RUN:   %hcct-decode --format=folded --all $file | LC_ALL=C sort > $file.txt; done || exit 1; done
// RUN: cmp hcct/out.txt cct/out.txt && cmp hcct/out.[0-9]*.txt cct/out.[0-9]*.txt
// RUN: grep -c '^main;walk;a..;b..;c.. 100$' hcct/out.txt | FileCheck --check-prefix=ALL %s
// RUN: grep -c '^main;walk;a..;b..;c.. 2$' hcct/out.[0-9]*.txt | FileCheck --check-prefix=ALL %s
// RUN: grep -c '^thread;walk;a..;b..;c0. 6$' hcct/out.txt | FileCheck --check-prefix=SOME %s
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

/* Three levels of 32 functions, each of which calls one of the next: 32^3 paths, and 32^2 + 32 on the way. */
#define CALL(next, i) case 0##i: next##i(path / 32); break;
#define CALLS_8(next, i) CALL(next, i##0) CALL(next, i##1) CALL(next, i##2) CALL(next, i##3) CALL(next, i##4) CALL(next, i##5) \
    CALL(next, i##6) CALL(next, i##7)
#define CALLS(next) switch (path % 32) { CALLS_8(next, 0) CALLS_8(next, 1) CALLS_8(next, 2) CALLS_8(next, 3) }
#define LEAF(name, unused) static NOINLINE void name(unsigned path) { worked += (int)path; }
#define CALLER(name, next) static NOINLINE void name(unsigned path) { work(); CALLS(next) }
#define EIGHT(of, name, next) of(name##0, next) of(name##1, next) of(name##2, next) of(name##3, next) \
    of(name##4, next) of(name##5, next) of(name##6, next) of(name##7, next)
#define LEVEL(of, name, next) EIGHT(of, name##0, next) EIGHT(of, name##1, next) EIGHT(of, name##2, next) EIGHT(of, name##3, next)
LEVEL(LEAF, c, )
LEVEL(CALLER, b, c)
LEVEL(CALLER, a, b)

enum { PATHS = 32 * 32 * 32, FEW_SLOTS = 1 << 11, SLOTS = 1 << 14, MORE_SLOTS = 1 << 16 };

static NOINLINE void walk(unsigned paths, int rounds)
{
    for (; rounds; rounds--)
        for (unsigned path = 0; path < paths; path++)
            CALLS(a)
}

static void expect_slots(unsigned long expected, const char *who)
{
#ifndef PLAIN
    unsigned long slots = __hcct_thread.slot_mask / sizeof(struct hcct_slot) + 1;
    if (slots != expected) {
        fprintf(stderr, "%s has %lu slots\n", who, slots);
        exit(1);
    }
#else
    (void)expected;
    (void)who;
#endif
}

/* In few contexts. */
static NOINLINE void begin(const char *who)
{
    for (int round = 0; round < 20; round++)
        for (unsigned path = 0; path < 32; path++)
            CALLS(a)
    expect_slots(FEW_SLOTS, who);
}

static void *thread(void *unused)
{
    begin("the second thread, at first,");
    walk(PATHS / 8, 6);
    expect_slots(SLOTS, "the second thread");
    return unused;
}

int main(void)
{
    pthread_t second;
    struct rusage usage;
    begin("main, at first,");
    walk(PATHS, 100);
    expect_slots(MORE_SLOTS, "main");
    pid_t child = fork();
    if (!child) {
        walk(PATHS, 2);
        expect_slots(MORE_SLOTS, "the child");
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
