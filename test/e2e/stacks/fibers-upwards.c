// swapcontext to a context further up the same stack, which runs on over everything below, and comes back: as without hcct, and calls are counted.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: for level in 0 1 2; do %hcct-cc -O$level -g -I%inputs %s -o x && for mode in hcct cct; do HCCT_OPTIONS=mode=$mode ./x > printed && \
// RUN:   FileCheck %s --check-prefix=PRINTED < printed && %hcct-decode --all --format=folded | FileCheck %s || exit 1; done; done
// PRINTED: deeper 40
// PRINTED-NEXT: back 20
// CHECK-DAG: main;further;further{{.*}} {{[0-9]+}}
// CHECK-DAG: after 20
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

static ucontext_t above, below;
static volatile int times, calls;

__attribute__((noinline)) void after(void)
{
    calls++;
}

/* Overwrites what lies below main's frame. */
__attribute__((noinline)) int further(volatile int depth)
{
    char room[256];
    memset(room, 0xff, sizeof room);
    __asm__ volatile("" : : "r"(room) : "memory");
    return depth ? further(depth - 1) + 1 : 1;
}

int main(void)
{
    getcontext(&above);
    if (times++ == 0) {
        swapcontext(&below, &above);
        for (int i = 0; i < 20; i++)
            after();
        printf("back %d\n", calls);
        return 0;
    }
    printf("deeper %d\n", further(39));
    fflush(stdout);
    setcontext(&below);
    return 1;
}
