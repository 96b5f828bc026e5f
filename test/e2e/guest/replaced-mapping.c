// A program or library may replace mmap, munmap, madvise and mremap (as UCX does, to watch memory): the runtime calls none of them, in
// any of its threads.
// REQUIRES: cpu-timers
// RUN: %hcct-cc -O1 -I%inputs %s -lpthread -o %t.x
// RUN: for options in mode=hcct mode=cct mode=cct:metric=wall; do rm -f %t.bin && HCCT_OPTIONS=$options:output=%t.bin %t.x && \
// RUN:   %hcct-decode --all %t.bin | grep -x 'sound: nothing dropped, nothing lost' || exit 1; done
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "e2e.h"

#define REPLACE __attribute__((no_profile_instrument_function))

REPLACE void *mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset)
{
    (void)at, (void)bytes, (void)protection, (void)flags, (void)file, (void)offset;
    abort();
}

REPLACE int munmap(void *at, size_t bytes)
{
    (void)at, (void)bytes;
    abort();
}

REPLACE int madvise(void *at, size_t bytes, int advice)
{
    (void)at, (void)bytes, (void)advice;
    abort();
}

REPLACE void *mremap(void *at, size_t old, size_t bytes, int flags, ...)
{
    (void)at, (void)old, (void)bytes, (void)flags;
    abort();
}

/* Many contexts: the tables grow. */
static NOINLINE void tree(int depth)
{
    work();
    if (depth) {
        tree(depth - 1);
        tree(depth - 1);
    }
}

static void *thread(void *argument)
{
    tree(12);
    usleep(100000);
    return argument;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    tree(12);
    usleep(100000);
    pthread_join(other, NULL);
    return 0;
}
