// trace=FILE: what a child of vfork calls is its parent's, in the trace too, also where it fills a chunk.
// RUN: %hcct-cc -O1 -I%inputs %s -o %t && HCCT_OPTIONS=trace=%t.trace:output=%t.bin %t && %hcct-lab replay --mode=cct -o %t.exact %t.trace
// RUN: %hcct-decode --all --format=folded %t.exact | FileCheck --match-full-lines %s
// CHECK: main 1
// CHECK-NEXT: main;a 31155
// CHECK-NEXT: main;b 30845
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"

static NOINLINE void a(void)
{
    work();
}

static NOINLINE void b(void)
{
    work();
}

static unsigned state = 1, made;

/* In no order that a trace could foresee. */
static inline __attribute__((always_inline)) void call(int count)
{
    for (int i = 0; i < count; i++) {
        state = state * 1103515245 + 12345;
        if (state >> 16 & 1)
            a();
        else
            b();
        made++;
    }
}

int main(void)
{
    int status;
    call(1000);
    pid_t child = vfork();
    if (child == 0) {
        call(60000);
        _exit(0);
    }
    if (waitpid(child, &status, 0) != child || status || made != 61000)
        return 1;
    call(1000);
    return 0;
}
