// A thread by clone with thread-local data that the program made itself, empty: it runs as without hcct, and its calls
// are told as dropped; all others are counted.
// REQUIRES: !target-aarch64
// RUN: for o in 0 2; do %hcct-cc -O$o -I%inputs %s -o %t.$o -lpthread && env HCCT_OPTIONS=mode=cct:output=%t.bin %t.$o && %hcct-decode --format=folded --all %t.bin | \
// RUN:   FileCheck --match-full-lines --implicit-check-not='{{.}}' %s && %hcct-decode --format=json %t.bin | FileCheck --check-prefix=TOLD %s || exit 1; done
// TOLD: "dropped": {"memory": 801,
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "e2e.h"

enum { BEFORE = 4096, STACK_BYTES = 1 << 16 };
static volatile int done;
static void (*volatile pointer)(int);

static NOINLINE void leaf(void)
{
    work();
}

static NOINLINE void recursive(int depth)
{
    if (depth)
        pointer(depth - 1);
    leaf();
}

/* It must not return: the C library knows nothing of this thread. */
static int child(void *unused)
{
    (void)unused;
    for (int i = 0; i < 100; i++)
        recursive(3);
    done = 1;
    syscall(SYS_exit, 0);
    return 0;
}

int main(void)
{
    char *data = aligned_alloc(64, 2 * BEFORE), *stack = aligned_alloc(4096, STACK_BYTES);
    pointer = recursive;
    memset(data, 0, 2 * BEFORE);
    char *control = data + BEFORE;
    memcpy(control, &control, sizeof(void *));
    memcpy(control + 16, &control, sizeof(void *));
    recursive(1);
    clone(child, stack + STACK_BYTES,
          CLONE_THREAD | CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_SETTLS, NULL, NULL,
          control, NULL);
    while (!done)
        usleep(10);
    recursive(1);
    return 0;
}
// CHECK: [other] 801
// CHECK-NEXT: main 1
// CHECK-NEXT: main;recursive 2
// CHECK-NEXT: main;recursive;leaf 2
// CHECK-NEXT: main;recursive;recursive 2
// CHECK-NEXT: main;recursive;recursive;leaf 2
