// A profile has the functions and sites of whole paths also where callers were not counted: the run counts below middle() only, so that
// neither main() nor outer() nor middle() has a context of its own. One is entered by a push, and others by numbered calls.
// RUN: %hcct-cc -O1 -gline-tables-only -I%hcct-source/include %s -o %t && HCCT_OPTIONS=mode=cct:output=%t.bin %t
// RUN: %hcct-decode --all --format=folded %t.bin | sort > %t.folded && FileCheck %s --match-full-lines --implicit-check-not={{.}} < %t.folded
// CHECK: main;outer;middle;down 1
// CHECK-NEXT: main;outer;middle;down;down 1
// CHECK-NEXT: main;outer;middle;down;down;inner 1
// CHECK-NEXT: main;outer;middle;down;inner 1
//
// The same in a child, whose parent counted its callers. Functions that nothing called are not in the file.
// RUN: HCCT_OPTIONS=mode=cct:output=%t.fork %t fork > %t.pid && %hcct-decode --all --format=folded %t.fork.$(cat %t.pid) | sort | diff - %t.folded
// RUN: grep -c never_called %t.bin; test $? = 1
#include <hcct/hcct.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int sink;

__attribute__((noinline)) static int never_called(int n)
{
    return sink += 2 * n;
}

__attribute__((noinline)) static int inner(int n)
{
    return sink += n;
}

__attribute__((noinline)) static int down(int n)
{
    return n > 0 ? down(n - 1) + inner(n) : n < 0 ? never_called(n) : inner(3);
}

__attribute__((noinline)) static int middle(int forks)
{
    pid_t child = forks ? fork() : 0;
    if (!forks)
        hcct_start();
    int result = child ? 0 : down(1);
    if (child) {
        waitpid(child, NULL, 0);
        printf("%d\n", (int)child);
    }
    return result + 1;
}

__attribute__((noinline)) static int outer(int forks)
{
    return middle(forks) + 1;
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc == 1)
        hcct_stop();
    hcct_reset();
    return outer(argc > 1) == 0;
}
