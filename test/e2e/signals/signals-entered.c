// A signal after every instruction, one between a call of the runtime that settles an entry and the load of the word that it left too: the
// handler's own entry leaves another there, and the interrupted one still finds its own.
// UNSUPPORTED: target-aarch64
// RUN: rm -rf %t && mkdir %t && cd %t && %hcct-cc -O1 %s -o x && env HCCT_OPTIONS=mode=cct ./x
// RUN: env LC_ALL=C.UTF-8 %hcct-decode --all --format=folded ids.bin | FileCheck %s
// CHECK-NOT: unknown
// CHECK-DAG: main;[qsort];entered 100
// CHECK-DAG: main;[qsort];entered;leaf 200
// CHECK-NOT: unknown
#include <signal.h>
#include <stdlib.h>

static volatile sig_atomic_t steps;

__attribute__((cold)) void step(int signal)
{
    (void)signal;
    steps++;
}

__attribute__((noinline)) int leaf(int n)
{
    return n + 1;
}

__attribute__((cold)) int entered(const void *key, const void *item)
{
    return leaf(*(const int *)key) - leaf(*(const int *)item);
}

int main(void)
{
    int sum = 0, items[] = { 2, 1 };
    signal(SIGTRAP, step);
    __asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc");
    for (int i = 0; i < 100; i++)
        qsort(items, 2, sizeof *items, entered), sum += items[0];
    __asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::: "memory", "cc");
    return !(sum == 100 && steps > 1000);
}
