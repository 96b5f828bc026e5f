// metric=page-faults in a program that closes all descriptors, the counters' too, and opens files by their numbers: it is told that what followed is
// missing, and those files are as they were.
// REQUIRES: perf-events
// UNSUPPORTED: target-aarch64
// RUN: %hcct-cc -O1 -I%inputs %s -lpthread -o %t && cd %T
// RUN: for where in main thread; do rm -f %t.bin && HCCT_OPTIONS=metric=page-faults:mode=cct:output=%t.bin %t $where 2> %t.log && FileCheck --check-prefix=SAID %s < %t.log && \
// RUN:   %hcct-decode --all %t.bin | FileCheck %s || exit 1; done
// SAID: hcct: metric=page-faults: the program closed a thread's counter, and what followed is missing
// The first pass over the pages is counted; of the second no more than the few faults before the closing is seen.
// CHECK: {{^}}20{{[0-9][0-9]}} page-faults
// CHECK: not exact: {{[0-9]+}} page-faults lost: the samples came late
// CHECK: touch
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "e2e.h"

enum { PAGE = 4096, PAGES = 2000, FILES = 20, CLOSED = 1 << 20 };

static NOINLINE void touch(void)
{
    char *memory = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; memory != MAP_FAILED && i < PAGES; i++)
        memory[(size_t)i * PAGE] = 1;
    work();
}

static int are_whole(void)
{
    struct stat at;
    int files[FILES], whole = 1;
    touch();
    for (int i = 3; i < CLOSED; i++)
        close(i);
    for (int i = 0; i < FILES; i++)
        files[i] = open("event-closed.file", O_CREAT | O_TRUNC | O_RDWR, 0600);
    touch();
    for (int i = 0; i < FILES; i++)
        whole = whole && fstat(files[i], &at) == 0 && at.st_size == 0 && lseek(files[i], 0, SEEK_CUR) == 0;
    return whole;
}

static void *thread(void *result)
{
    *(int *)result = are_whole();
    return NULL;
}

int main(int count, char **arguments)
{
    int whole = 0;
    pthread_t made;
    if (count < 2 || strcmp(arguments[1], "thread") != 0)
        return !are_whole();
    return pthread_create(&made, NULL, thread, &whole) || pthread_join(made, NULL) || !whole;
}
