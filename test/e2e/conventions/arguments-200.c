// Calls with 200 arguments, integers and floating point, numbered, through a pointer, recursive and in tail position.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include "e2e.h"

#define TEN(P, t) t P##0, t P##1, t P##2, t P##3, t P##4, t P##5, t P##6, t P##7, t P##8, t P##9
#define HUNDRED(P, t) TEN(P##0, t), TEN(P##1, t), TEN(P##2, t), TEN(P##3, t), TEN(P##4, t), TEN(P##5, t), TEN(P##6, t), TEN(P##7, t), TEN(P##8, t), TEN(P##9, t)
#define SUM10(P) (P##0 + 2 * P##1 + 3 * P##2 + 4 * P##3 + 5 * P##4 + 6 * P##5 + 7 * P##6 + 8 * P##7 + 9 * P##8 + 10 * P##9)
#define SUM(P) (SUM10(P##0) + 2 * SUM10(P##1) + 3 * SUM10(P##2) + 4 * SUM10(P##3) + 5 * SUM10(P##4) + 6 * SUM10(P##5) + 7 * SUM10(P##6) + 8 * SUM10(P##7) + 9 * SUM10(P##8) + 10 * SUM10(P##9))
#define GIVE10(n) (n), (n) + 1, (n) + 2, (n) + 3, (n) + 4, (n) + 5, (n) + 6, (n) + 7, (n) + 8, (n) + 9
#define GIVE(n) GIVE10(n), GIVE10((n) + 10), GIVE10((n) + 20), GIVE10((n) + 30), GIVE10((n) + 40), GIVE10((n) + 50), GIVE10((n) + 60), GIVE10((n) + 70), GIVE10((n) + 80), GIVE10((n) + 90)

/* The same by loops: element i*10+j is n + i*10 + j, its weight (i+1)*(j+1). */
static inline __attribute__((always_inline)) long expected(long n, long m)
{
    long sum = 0;
    for (long i = 0; i < 10; i++)
        for (long j = 0; j < 10; j++)
            sum += (n + m + 2 * (i * 10 + j)) * (i + 1) * (j + 1);
    return sum;
}

static NOINLINE long local(int depth, HUNDRED(a, long), HUNDRED(b, double))
{
    long sum = SUM(a) + (long)SUM(b);
    if (depth)
        sum += local(depth - 1, GIVE(depth), GIVE(depth + 1));
    work();
    return sum;
}

NOINLINE long external(int depth, HUNDRED(a, long), HUNDRED(b, double))
{
    work();
    return local(depth, GIVE(a00), GIVE(b00));
}

static long (*volatile pointer)(int, HUNDRED(a, long), HUNDRED(b, double)) = external;

int main(void)
{
    if (local(0, GIVE(1), GIVE(2)) != expected(1, 2))
        return 1;
    if (local(2, GIVE(5), GIVE(6)) != expected(5, 6) + expected(2, 3) + expected(1, 2))
        return 2;
    if (external(0, GIVE(7), GIVE(-8)) != expected(7, -8))
        return 3;
    return pointer(0, GIVE(9), GIVE(9)) == expected(9, 9) ? 0 : 4;
}
// CHECK: main 1
// CHECK-NEXT: main;external 2
// CHECK-NEXT: main;external;local 2
// CHECK-NEXT: main;local 2
// CHECK-NEXT: main;local;local 1
// CHECK-NEXT: main;local;local;local 1
