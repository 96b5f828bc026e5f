// fork: the child writes its own file, with its own counts only; a child that counts nothing writes none; the parent's
// profile is exact.
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.x
// RUN: for mode in cct hcct; do rm -rf %t && mkdir %t && cd %t && HCCT_OPTIONS=mode=$mode:output=out.bin %t.x && \
// RUN:   %hcct-decode --format=folded --all out.bin | FileCheck --implicit-check-not='{{.}}' --match-full-lines %s && \
// RUN:   rm out.bin && ls | count 1 && %hcct-decode --format=folded --all out.bin.[0-9]* | \
// RUN:   FileCheck --implicit-check-not='{{.}}' --match-full-lines --check-prefix=CHILD %s || exit 1; done
// With %%p in its name the file is the child's already.
// RUN: rm -rf %t && mkdir %t && cd %t && HCCT_OPTIONS=mode=cct:output=%%p.bin %t.x && ls | count 2
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"

static NOINLINE void leaf(void)
{
    work();
}

static void (*volatile pointer)(void) = leaf;

static NOINLINE void in_child(void)
{
    pointer();
    leaf();
    work();
}

static NOINLINE void middle(int depth)
{
    if (depth) {
        middle(depth - 1);
    } else {
        pid_t child = fork();
        if (!child) {
            in_child();
            in_child();
            exit(3);
        }
        int status;
        if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 3)
            abort();
        if (!(child = fork()))
            exit(0);
        waitpid(child, &status, 0);
        leaf();
    }
    work();
}

int main(void)
{
    leaf();
    middle(1);
    leaf();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;leaf 2
// CHECK-NEXT: main;middle 1
// CHECK-NEXT: main;middle;middle 1
// CHECK-NEXT: main;middle;middle;leaf 1
// CHILD: main;middle;middle;in_child 2
// CHILD-NEXT: main;middle;middle;in_child;leaf 4
