// --hcct-externals in C++: calls that throw, from instrumented code and not, names of C++ by their demangled form, allocation, calls in landing pads.
// RUN: split-file %s %t && cd %t && %clang++ -O1 -c plain.cpp -o plain.o
// RUN: for how in -O0 -O2 -Os "-O2 -flto" "-O2 -flto=thin" "-O2 -fPIC"; do \
// RUN:   %hcct-c++ '--hcct-externals=^(operator (new|delete)|plain::.*|__cxa_throw)[^a-z_]*.*$' $how -I%inputs main.cpp other.cpp plain.o -o x && sh %inputs/exact.sh %hcct-decode %s %t/x || exit 1; done
// The linkage name is matched as well. An expression that matches nothing counts nothing.
// RUN: %hcct-c++ --hcct-externals=_Znwm -O1 -I%inputs main.cpp other.cpp plain.o -o y && env CHECKS=NEW sh %inputs/exact.sh %hcct-decode %s %t/y
// RUN: %hcct-c++ --hcct-externals=nothing -O1 -I%inputs main.cpp other.cpp plain.o -o z && env CHECKS=NONE sh %inputs/exact.sh %hcct-decode %s %t/z
//--- main.cpp
#include "e2e.h"
#include <new>
namespace plain { void maybe(bool); struct error {}; void cleaned(); }
void other(bool);
struct cleaner { NOINLINE ~cleaner() { plain::cleaned(); work(); } };
static NOINLINE int direct(bool throws)
{
    cleaner c;
    try {
        plain::maybe(throws);
    } catch (plain::error &) {
        work();
        return 1;
    }
    return 0;
}
static NOINLINE int deep(bool throws)
{
    try {
        cleaner c;
        other(throws);
    } catch (plain::error &) {
        work();
        return 1;
    }
    return 0;
}
int main()
{
    int caught = 0;
    for (int i = 0; i < 6; i++)
        caught += direct(i % 2) + deep(i % 3 == 0);
    void *p = ::operator new(7);
    __asm__ volatile("" : "+r"(p));
    ::operator delete(p);
    return caught != 5;
}
//--- other.cpp
#include "e2e.h"
namespace plain { void maybe(bool); struct error {}; }
NOINLINE void other(bool throws)
{
    if (throws)
        throw plain::error();
    plain::maybe(false);
    work();
}
//--- plain.cpp
namespace plain {
struct error {};
void maybe(bool throws) { if (throws) throw error(); }
void cleaned() { __asm__ volatile(""); }
}
// CHECK: main 1
// CHECK-NEXT: main;_ZL4deepb 6
// CHECK-NEXT: main;_ZL4deepb;_Z5otherb 6
// CHECK-NEXT: main;_ZL4deepb;_Z5otherb;_ZN5plain5maybeEb 4
// CHECK-NEXT: main;_ZL4deepb;_Z5otherb;__cxa_throw 2
// CHECK-NEXT: main;_ZL4deepb;_ZN7cleanerD2Ev 6
// CHECK-NEXT: main;_ZL4deepb;_ZN7cleanerD2Ev;_ZN5plain7cleanedEv 6
// CHECK-NEXT: main;_ZL6directb 6
// CHECK-NEXT: main;_ZL6directb;_ZN5plain5maybeEb 6
// CHECK-NEXT: main;_ZL6directb;_ZN7cleanerD2Ev 6
// CHECK-NEXT: main;_ZL6directb;_ZN7cleanerD2Ev;_ZN5plain7cleanedEv 6
// CHECK-NEXT: main;_ZdlPv 1
// CHECK-NEXT: main;_Znwm 1
// NEW: main 1
// NEW-NEXT: main;_ZL4deepb 6
// NEW-NEXT: main;_ZL4deepb;_Z5otherb 6
// NEW-NEXT: main;_ZL4deepb;_ZN7cleanerD2Ev 6
// NEW-NEXT: main;_ZL6directb 6
// NEW-NEXT: main;_ZL6directb;_ZN7cleanerD2Ev 6
// NEW-NEXT: main;_Znwm 1
// NONE: main 1
// NONE-NEXT: main;_ZL4deepb 6
// NONE-NEXT: main;_ZL4deepb;_Z5otherb 6
// NONE-NEXT: main;_ZL4deepb;_ZN7cleanerD2Ev 6
// NONE-NEXT: main;_ZL6directb 6
// NONE-NEXT: main;_ZL6directb;_ZN7cleanerD2Ev 6
