// metric=clock: the time between hcct_stop and hcct_start counts in no thread: in one that runs all the while in a call, that of the call before
// and after does; in one whose call ends meanwhile, that before. Neither does the time before the first hcct_start with counting=off.
// RUN: %hcct-cc --hcct-clock -O1 -I%inputs %s -lpthread -o %t
// RUN: for mode in cct hcct; do for way in stop off; do HCCT_OPTIONS=metric=clock:mode=$mode:output=%t.bin:counting=$(test $way = off && echo off || echo on) %t $way > %t.book && \
// RUN:   %hcct-decode --all --format=json -o %t.json %t.bin && python3 %inputs/clock_between.py %t.json %t.book || exit 1; done; done
#include <hcct/hcct.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "e2e.h"

#define OUTSIDE __attribute__((no_profile_instrument_function, noinline))

static atomic_int phase, begun; /* 1: counting is stopped, 2: it goes on */

static inline __attribute__((always_inline)) uint64_t time_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

OUTSIDE static void pass(uint64_t ms)
{
    for (uint64_t end = time_now() + ms * 1000000; time_now() < end;)
        ;
}

static inline __attribute__((always_inline)) void wait_for(atomic_int *number, int least)
{
    while (atomic_load(number) < least)
        work();
}

/* [1]: from the beginning of `stays`, and from before it; [0]: to its end, and behind it; [2]: as [1] of `ends`. */
static uint64_t inner[3], outer[3];

static NOINLINE void stays(void)
{
    inner[1] = time_now();
    atomic_fetch_add(&begun, 1);
    wait_for(&phase, 2);
    pass(50);
    inner[0] = time_now();
}

static NOINLINE void ends(void)
{
    inner[2] = time_now();
    atomic_fetch_add(&begun, 1);
    wait_for(&phase, 1);
}

static NOINLINE void inside(void)
{
    pass(20);
}

static void *run_stays(void *unused)
{
    outer[1] = time_now();
    stays();
    outer[0] = time_now();
    return unused;
}

static void *run_ends(void *unused)
{
    outer[2] = time_now();
    ends();
    inside();
    atomic_fetch_add(&begun, 1);
    return unused;
}

OUTSIDE static void tell(const char *name, uint64_t least, uint64_t most)
{
    printf("%s %llu %llu\n", name, (unsigned long long)least, (unsigned long long)most);
}

int main(int argc, char **argv)
{
    int stops = argc > 1 && strcmp(argv[1], "stop") == 0;
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, run_stays, NULL);
    pthread_create(&threads[1], NULL, run_ends, NULL);
    wait_for(&begun, 2);
    pass(50);
    uint64_t before_stop = time_now();
    if (stops)
        hcct_stop();
    uint64_t after_stop = time_now();
    atomic_store(&phase, 1);
    wait_for(&begun, 3);
    pass(300);
    uint64_t before_start = time_now();
    hcct_start();
    uint64_t after_start = time_now();
    atomic_store(&phase, 2);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    uint64_t first_least = stops ? before_stop - inner[1] : 0, first_most = stops ? after_stop - outer[1] : 0;
    tell("stays", first_least + inner[0] - after_start, first_most + outer[0] - before_start);
    tell("ends", stops ? before_stop - inner[2] : 0, stops ? after_stop - outer[2] : 0);
    tell("inside", 0, 0);
    return 0;
}
