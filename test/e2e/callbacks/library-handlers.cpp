// A new-handler and a terminate handler hang below the function that could not allocate, or threw what nobody caught, whoever set them,
// and in whatever way.
// REQUIRES: turn-4
// RUN: split-file %s %t && cd %t
// RUN: for level in -O0 -O2 "-O2 -flto"; do %hcct-c++ -std=c++17 $level -I%inputs -c uses.cpp && for how in "" -DPOINTER; do echo "$level $how" && \
// RUN:   %hcct-c++ -std=c++17 $level $how -I%inputs set.cpp uses.o -o x && sh %inputs/exact.sh %hcct-decode %s %t/x && \
// RUN:   %hcct-c++ -std=c++17 $level $how -I%inputs -shared -fPIC set.cpp -o set.so && %hcct-c++ $level uses.o ./set.so -o s && \
// RUN:   sh %inputs/exact.sh %hcct-decode %s %t/s || exit 1; done || exit 1; done
//--- set.cpp
#include <stdlib.h>
#include <exception>
#include <new>
#include "e2e.h"
extern "C" {
NOINLINE void no_memory() { work(); std::set_new_handler(nullptr); }
NOINLINE void not_caught() { work(); exit(0); }
NOINLINE void set()
{
#ifdef POINTER
    std::terminate_handler (*volatile setter)(std::terminate_handler) = std::set_terminate;
    std::new_handler (*volatile new_setter)(std::new_handler) = std::set_new_handler;
    setter(not_caught);
    new_setter(no_memory);
#else
    std::set_terminate(not_caught);
    std::set_new_handler(no_memory);
#endif
}
}
//--- uses.cpp
#include <new>
#include <string>
#include "e2e.h"
char *volatile kept;
extern "C" {
void set();
NOINLINE void ask(size_t bytes)
{
    try {
        kept = new (std::align_val_t{64}) char[bytes];
    } catch (const std::bad_alloc &) {
        work();
    }
}
NOINLINE void compare(std::string *text) { worked += text->compare(10, 1, "text"); }
NOINLINE std::string *empty() { return new std::string; }
}
int main()
{
    set();
    ask(static_cast<size_t>(-1) / 4);
    compare(empty());
    return 1;
}
// CHECK: main 1
// CHECK-NEXT: main;ask 1
// CHECK-NEXT: main;ask;[_ZnamSt11align_val_t];no_memory 1
// CHECK-NEXT: main;compare 1
// CHECK-NEXT: main;compare;[_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE7compareEmmPKc];not_caught 1
// CHECK-NEXT: main;empty 1
// CHECK-NEXT: main;set 1
