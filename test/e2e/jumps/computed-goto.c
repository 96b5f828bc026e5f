// Computed goto: an interpreter's loop, with calls that are numbered and calls that push in its labels.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include "e2e.h"

static NOINLINE void leaf(void)
{
    work();
}

static void (*volatile pointer)(void) = leaf;

static NOINLINE int interpret(const unsigned char *code)
{
    static void *const labels[] = {&&stop, &&direct, &&indirect, &&recursive};
    int steps = 0;
    goto *labels[*code++];
direct:
    leaf();
    steps++;
    goto *labels[*code++];
indirect:
    pointer();
    steps++;
    goto *labels[*code++];
recursive:
    steps += interpret(code + 1);
    code += *code + 1; /* its length */
    goto *labels[*code++];
stop:
    return steps;
}

int main(void)
{
    static const unsigned char code[] = {1, 2, 3, 3, 1, 2, 0, 1, 1, 0};
    return interpret(code) != 6;
}
// CHECK: main 1
// CHECK-NEXT: main;interpret 1
// CHECK-NEXT: main;interpret;interpret 1
// CHECK-NEXT: main;interpret;interpret;leaf 2
// CHECK-NEXT: main;interpret;leaf 4
