// Twenty thousand fibers, made, run and destroyed; some that are never ended: their memory does not stay, and all calls are
// where they belong.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { ALL = 20000, FIBERS = 100, BYTES = 32 * 1024 };

#include "fibers.h"

static inline __attribute__((always_inline)) long peak_kb(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

int main(void)
{
    char *stacks[FIBERS];
    long before = 0;
    for (int i = 0; i < ALL; i += FIBERS) {
        for (int f = 0; f < FIBERS; f++) {
            /* Never where one was before. */
            stacks[f] = mmap((char *)0x100000000000 + (size_t)(i + f) * 2 * BYTES, BYTES, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            getcontext(&fibers[f]);
            fibers[f].uc_stack.ss_sp = stacks[f];
            fibers[f].uc_stack.ss_size = BYTES;
            fibers[f].uc_link = &home;
            makecontext(&fibers[f], fiber, 0);
        }
        for (int f = 0; f < FIBERS; f++)
            resume(f);
        for (int f = 0; f < FIBERS; f += 2)
            resume(f);
        for (int f = 0; f < FIBERS; f++)
            munmap(stacks[f], BYTES);
        if (i == ALL / 10)
            before = peak_kb();
    }
    leaf();
    return peak_kb() - before > 4 * 1024 ? 2 : 0;
}
// CHECK: fiber 20000
// CHECK-NEXT: fiber;nest 20000
// CHECK-NEXT: fiber;nest;leaf 10000
// CHECK-NEXT: fiber;nest;nest 20000
// CHECK-NEXT: fiber;nest;nest;leaf 10000
// CHECK-NEXT: main 1
// CHECK-NEXT: main;leaf 1
