// Variadic functions get their arguments, in vector registers too, and count; their calls push where they must.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "e2e.h"

static NOINLINE double take(va_list *list)
{
    work();
    return va_arg(*list, double) + va_arg(*list, int);
}

NOINLINE double sum(int pairs, ...)
{
    double total = 0;
    va_list list;
    va_start(list, pairs);
    for (int i = 0; i < pairs; i++)
        total += take(&list);
    va_end(list);
    return total;
}

NOINLINE int format(char *text, size_t size, const char *how, ...)
{
    va_list list;
    va_start(list, how);
    int length = vsnprintf(text, size, how, list);
    va_end(list);
    return length;
}

double (*volatile pointer)(int, ...) = sum;

int main(void)
{
    char text[32];
    if (sum(5, 1.5, 1, 2.5, 2, 3.5, 3, 4.5, 4, 5.5, 5) != 32.5 || pointer(2, 0.25, 1, 0.5, 2) != 3.75)
        abort();
    if (format(text, sizeof text, "%d %.1f %s", 7, 2.5, "x") != 7 || strcmp(text, "7 2.5 x"))
        abort();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;format 1
// CHECK-NEXT: main;sum 2
// CHECK-NEXT: main;sum;take 7
