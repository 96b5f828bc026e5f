// Under valgrind's memcheck, a handler of SIGABRT on an alternate stack of the heap finds no error: the profiler writes from there, on a stack of its own.
// REQUIRES: valgrind
// RUN: %hcct-cc -O1 %s -o %t && HCCT_OPTIONS=output=%t.bin valgrind -q --error-exitcode=9 %t && %hcct-decode --format=folded %t.bin | FileCheck %s
// CHECK-DAG: main;leaf 2
// CHECK-DAG: [signal 6];handle;leaf 1
#include <signal.h>
#include <stdlib.h>

static __attribute__((noinline)) void leaf(void)
{
    __asm__ volatile("");
}

static void handle(int number)
{
    (void)number;
    leaf();
}

int main(void)
{
    stack_t stack = { .ss_size = 16384 };
    struct sigaction action = { .sa_flags = SA_ONSTACK };
    stack.ss_sp = calloc(1, stack.ss_size);
    action.sa_handler = handle;
    if (sigaltstack(&stack, NULL) != 0 || sigaction(SIGABRT, &action, NULL) != 0)
        return 1;
    leaf();
    raise(SIGABRT);
    leaf();
    return 0;
}
