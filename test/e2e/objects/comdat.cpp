// Inline functions and templates that two files define: one copy runs, its callers in both files number it.
// RUN: split-file %s %t && cd %t
// RUN: %hcct-c++ -O0 -I%inputs -I. one.cpp two.cpp -o 0 && sh %inputs/exact.sh %hcct-decode %s %t/0
// RUN: %hcct-c++ -O2 -I%inputs -I. one.cpp two.cpp -o 2 && sh %inputs/exact.sh %hcct-decode %s %t/2
// Files of different levels: the copy that is dropped had other sites.
// RUN: %hcct-c++ -O0 -I%inputs -I. -c one.cpp && %hcct-c++ -O2 -I%inputs -I. one.o two.cpp -o 02 && sh %inputs/exact.sh %hcct-decode %s %t/02
// RUN: %hcct-c++ -O0 -I%inputs -I. -c two.cpp && %hcct-c++ -O2 -I%inputs -I. two.o one.cpp -o 20 && sh %inputs/exact.sh %hcct-decode %s %t/20
//--- shared.h
#include "e2e.h"
NOINLINE inline void leaf() { work(); }
template <typename T> NOINLINE T twice(T value)
{
    static T kept;
    leaf();
    leaf();
    kept += value;
    work();
    return kept;
}
//--- one.cpp
#include "shared.h"
void two();
extern "C" NOINLINE void one() { twice(1); leaf(); work(); }
int main()
{
    one();
    two();
    return 0;
}
//--- two.cpp
#include "shared.h"
NOINLINE void two() { twice(1); twice(1.5); leaf(); work(); }
// CHECK: main 1
// CHECK-NEXT: main;_Z3twov 1
// CHECK-NEXT: main;_Z3twov;_Z4leafv 1
// CHECK-NEXT: main;_Z3twov;_Z5twiceIdET_S0_ 1
// CHECK-NEXT: main;_Z3twov;_Z5twiceIdET_S0_;_Z4leafv 2
// CHECK-NEXT: main;_Z3twov;_Z5twiceIiET_S0_ 1
// CHECK-NEXT: main;_Z3twov;_Z5twiceIiET_S0_;_Z4leafv 2
// CHECK-NEXT: main;one 1
// CHECK-NEXT: main;one;_Z4leafv 1
// CHECK-NEXT: main;one;_Z5twiceIiET_S0_ 1
// CHECK-NEXT: main;one;_Z5twiceIiET_S0_;_Z4leafv 2
