// Variadic arguments handed on, by va_list, copies of it, through pointers and in tail calls.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <stdarg.h>

#include "e2e.h"

static NOINLINE long take(int n, va_list list)
{
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += va_arg(list, long) * (i + 1) + (long)va_arg(list, double);
    work();
    return sum;
}

static long (*volatile pointer)(int, va_list) = take;

NOINLINE long twice(int n, ...)
{
    va_list list, copy;
    va_start(list, n);
    va_copy(copy, list);
    long sum = take(n, list) + pointer(n, copy);
    va_end(copy);
    va_end(list);
    return sum;
}

static NOINLINE long last(int n, va_list list)
{
    work();
    return take(n, list);
}

NOINLINE long forward(int n, ...)
{
    va_list list;
    va_start(list, n);
    long sum = last(n, list);
    va_end(list);
    return sum;
}

NOINLINE long again(int n, ...)
{
    work();
    return twice(n, 1L, 1.0, 2L, 2.0, 3L, 3.0, 4L, 4.0, 5L, 5.0, 6L, 6.0, 7L, 7.0, 8L, 8.0, 9L, 9.0);
}

int main(void)
{
    long (*volatile indirect)(int, ...) = forward;
    if (twice(3, 10L, 0.5, 20L, 1.5, 30L, 2.5) != 286)
        return 1;
    if (indirect(2, 1L, 1.0, 2L, 2.0) != 8)
        return 2;
    return again(9, 7) == 2 * (285 + 45) ? 0 : 3;
}
// CHECK: main 1
// CHECK-NEXT: main;again 1
// CHECK-NEXT: main;again;twice 1
// CHECK-NEXT: main;again;twice;take 2
// CHECK-NEXT: main;forward 1
// CHECK-NEXT: main;forward;last 1
// CHECK-NEXT: main;forward;last;take 1
// CHECK-NEXT: main;twice 1
// CHECK-NEXT: main;twice;take 2
