// metric=page-faults: faults of the program's own code are in their contexts, right to the period, which is 2. Children of
// fork and threads have counters of their own, and the program's descriptors are its own. What the machine cannot count is said.
// REQUIRES: perf-events
// UNSUPPORTED: target-aarch64
// RUN: for level in -O1 -O0; do %hcct-cc $level -I%inputs %s -lpthread -o %t && rm -f %t.bin* && \
// RUN:   HCCT_OPTIONS=metric=page-faults:mode=cct:output=%t.bin %t && \
// RUN:   %hcct-decode --all --format=folded %t.bin > %t.folded && FileCheck %s < %t.folded && \
// RUN:   %hcct-decode --all --format=folded %t.bin.* > %t.folded && FileCheck --check-prefix=CHILD %s < %t.folded && \
// RUN:   %hcct-decode --all %t.bin > %t.tree && FileCheck --check-prefix=TREE %s < %t.tree || exit 1; done
// CHECK-DAG: main;first;touch {{(4998|500[02])$}}
// CHECK-DAG: main;second;touch {{(2998|300[02])$}}
// CHECK-DAG: run;touch {{(1998|200[02])$}}
// CHILD-NOT: first
// CHILD: in_child;touch {{(698|70[02])$}}
// TREE: {{[0-9]+}} page-faults in
// Harmless, too.
// RUN: %hcct-cc -O1 -I%inputs %S/time-harmless.c -lpthread -o %t.harmless
// RUN: HCCT_OPTIONS=metric=page-faults:output=%t.harmless.bin timeout 600 %t.harmless && rm -f %t.harmless.bin*
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spend.h"

enum { PAGE = 4096 };

/* As many faults as pages. */
NOINLINE static void touch(int pages)
{
    char *memory = mmap(NULL, (size_t)pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(memory, (size_t)pages * PAGE, MADV_NOHUGEPAGE);
    for (int i = 0; i < pages; i++)
        ((volatile char *)memory)[(size_t)i * PAGE] = 1;
    munmap(memory, (size_t)pages * PAGE);
}

NOINLINE static void first(void)
{
    touch(5000);
    work();
}

NOINLINE static void second(void)
{
    touch(3000);
    work();
}

NOINLINE static void in_child(void)
{
    touch(700);
    work();
}

static void *run(void *unused)
{
    touch(2000);
    work();
    return unused;
}

int main(void)
{
    pthread_t thread;
    int status, lowest = open("/dev/null", O_RDONLY);
    first();
    second();
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
    pid_t child = fork();
    if (!child) {
        in_child();
        return 3;
    }
    if (waitpid(child, &status, 0) != child || status != 3 << 8)
        return 1;
    return lowest != 3;
}
