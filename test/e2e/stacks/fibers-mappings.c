// Four thousand fibers at a time, on stacks that lie side by side, and so are one mapping of the kernel's: the profiler takes no
// mapping for each. (A process may have 65,530.) When every other one has ended and others take their places, all calls are
// where they belong.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { FIBERS = 4000, BYTES = 32 * 1024, MOST_MAPPINGS = 300 };

#include "fibers.h"

NOINLINE void start(int number)
{
    char *stack = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED)
        abort();
    getcontext(&fibers[number]);
    fibers[number].uc_stack.ss_sp = stack;
    fibers[number].uc_stack.ss_size = BYTES;
    fibers[number].uc_link = &home;
    makecontext(&fibers[number], fiber, 0);
    resume(number);
}

static inline __attribute__((always_inline)) int mappings(void)
{
    FILE *file = fopen("/proc/self/maps", "r");
    int lines = 0;
    for (int c; (c = getc(file)) != EOF;)
        lines += c == '\n';
    fclose(file);
    return lines;
}

int main(void)
{
    int before = mappings();
    for (int i = 0; i < FIBERS; i++)
        start(i);
    int taken = mappings() - before;
    if (taken > MOST_MAPPINGS) {
        fprintf(stderr, "%d mappings for %d fibers\n", taken, FIBERS);
        return 1;
    }
    for (int i = 0; i < FIBERS; i += 2) {
        void *stack = fibers[i].uc_stack.ss_sp;
        resume(i);
        munmap(stack, BYTES);
        start(i);
    }
    for (int i = 0; i < FIBERS; i++)
        resume(i);
    return 0;
}
// CHECK: fiber 6000
// CHECK-NEXT: fiber;nest 6000
// CHECK-NEXT: fiber;nest;leaf 6000
// CHECK-NEXT: fiber;nest;nest 6000
// CHECK-NEXT: fiber;nest;nest;leaf 6000
// CHECK-NEXT: main 1
// CHECK-NEXT: main;start 6000
