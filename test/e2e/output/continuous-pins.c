// continuous=1: a process that is killed leaves its pinned contexts too, in both modes, though other contexts
// took their counters; so does a child.
// RUN: %hcct-cc -O1 -gline-tables-only -I%inputs -I%hcct-source/include %s -o %t.x
// RUN: for mode in cct hcct; do rm -rf %t && mkdir %t && cd %t && (HCCT_OPTIONS=mode=$mode:phi=0.1:continuous=1:output=out.bin %t.x > number || true) && \
// RUN:   %hcct-decode --context=$(cat number) out.bin | FileCheck %s && \
// RUN:   %hcct-merge -o merged.bin out.bin && %hcct-decode --context=$(cat number) merged.bin | FileCheck %s || exit 1; done
// CHECK: main;outer;outer;outer;rare
// Before counting starts, and in a child whose parent pinned another context.
// RUN: rm -rf %t && mkdir %t && cd %t && (HCCT_OPTIONS=counting=off:continuous=1:output=out.bin %t.x > number || true) && \
// RUN:   %hcct-decode --context=$(cat number) out.bin | FileCheck %s
// RUN: rm -rf %t && mkdir %t && cd %t && (HCCT_OPTIONS=counting=off:continuous=1:output=out.bin %t.x fork > number || true) && \
// RUN:   %hcct-decode --context=$(cat number) out.bin.* | FileCheck %s --check-prefix=CHILD
// CHILD: main;in_child;in_child
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"
#include "hcct/hcct.h"

static void tell_and_pin(void)
{
    printf("%" PRIu64 "\n", hcct_context());
    if (!hcct_context_pin())
        puts("not pinned");
    fflush(stdout);
}

static NOINLINE void rare(void)
{
    tell_and_pin();
    work();
}

static NOINLINE void in_child(int levels)
{
    if (levels)
        in_child(levels - 1);
    else
        tell_and_pin();
    work();
}

/* Below a recursion: the number alone does not tell the chain of its pushes. */
static NOINLINE void outer(int levels)
{
    if (levels)
        outer(levels - 1);
    else
        rare();
    work();
}

/* More contexts than there are counters with phi=0.1. */
static NOINLINE void deep(int levels)
{
    if (levels)
        deep(levels - 1);
    work();
}

int main(int count, char **arguments)
{
    (void)arguments;
    if (count > 1) {
        hcct_context_pin();
        if (fork() == 0) {
            in_child(1);
            kill(getpid(), SIGKILL);
        }
        wait(NULL);
        return 0;
    }
    outer(2);
    for (int i = 0; i < 3; i++)
        deep(60000);
    kill(getpid(), SIGKILL);
}
