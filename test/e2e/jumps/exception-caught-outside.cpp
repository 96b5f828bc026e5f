// Code that is not instrumented catches an exception out of a callback, or cleans up on its way, and calls back again from
// deeper than what threw: the frames that are gone are not taken for live.
// RUN: split-file %s %t && cd %t && %clang++ -O2 -c -I. library.cpp -o library.o
// RUN: %hcct-c++ -O0 -I%inputs -I. main.cpp library.o -o 0 && sh %inputs/exact.sh %hcct-decode %s %t/0
// RUN: %hcct-c++ -O2 -I%inputs -I. main.cpp library.o -o 2 && sh %inputs/exact.sh %hcct-decode %s %t/2
//--- library.h
extern "C" {
void catching(void (*throws)(), void (*after)());
void cleaning(void (*throws)(), void (*at_cleanup)());
void rethrowing(void (*throws)(), void (*at_catch)());
}
//--- library.cpp
#include "library.h"
static __attribute__((noinline)) void deeper(void (*function)())
{
    char room[20000];
    __asm__ volatile("" ::"r"(room) : "memory"); /* all of it is there */
    function();
    __asm__ volatile("" ::"r"(room) : "memory");
}
void catching(void (*throws)(), void (*after)())
{
    try {
        throws();
    } catch (int) {
    }
    deeper(after);
    deeper(after);
}
struct Cleanup {
    void (*function)();
    ~Cleanup() { deeper(function); }
};
void cleaning(void (*throws)(), void (*at_cleanup)())
{
    Cleanup cleanup = {at_cleanup};
    throws();
}
void rethrowing(void (*throws)(), void (*at_catch)())
{
    try {
        throws();
    } catch (...) {
        deeper(at_catch);
        throw;
    }
}
//--- main.cpp
#include "e2e.h"
#include "library.h"
extern "C" {
NOINLINE void leaf() { work(); }
NOINLINE void thrower()
{
    leaf();
    throw 1;
}
void (*volatile pointer)() = thrower;
NOINLINE void sink(int depth)
{
    if (depth)
        sink(depth - 1);
    else
        pointer();
    work();
}
void throws()
{
    sink(1);
    work();
}
void after()
{
    leaf();
    work();
}
NOINLINE void outer(int depth)
{
    if (depth) {
        outer(depth - 1);
        work();
        return;
    }
    catching(throws, after);
    try {
        cleaning(throws, after);
    } catch (int) {
        leaf();
    }
    try {
        rethrowing(throws, after);
    } catch (int) {
        leaf();
    }
    leaf();
    work();
}
}
int main()
{
    outer(1);
    leaf();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;leaf 1
// CHECK-NEXT: main;outer 1
// CHECK-NEXT: main;outer;outer 1
// CHECK-NEXT: main;outer;outer;[catching];after 2
// CHECK-NEXT: main;outer;outer;[catching];after;leaf 2
// CHECK-NEXT: main;outer;outer;[catching];throws 1
// CHECK-NEXT: main;outer;outer;[catching];throws;sink 1
// CHECK-NEXT: main;outer;outer;[catching];throws;sink;sink 1
// CHECK-NEXT: main;outer;outer;[catching];throws;sink;sink;thrower 1
// CHECK-NEXT: main;outer;outer;[catching];throws;sink;sink;thrower;leaf 1
// CHECK-NEXT: main;outer;outer;[cleaning];after 1
// CHECK-NEXT: main;outer;outer;[cleaning];after;leaf 1
// CHECK-NEXT: main;outer;outer;[cleaning];throws 1
// CHECK-NEXT: main;outer;outer;[cleaning];throws;sink 1
// CHECK-NEXT: main;outer;outer;[cleaning];throws;sink;sink 1
// CHECK-NEXT: main;outer;outer;[cleaning];throws;sink;sink;thrower 1
// CHECK-NEXT: main;outer;outer;[cleaning];throws;sink;sink;thrower;leaf 1
// CHECK-NEXT: main;outer;outer;[rethrowing];after 1
// CHECK-NEXT: main;outer;outer;[rethrowing];after;leaf 1
// CHECK-NEXT: main;outer;outer;[rethrowing];throws 1
// CHECK-NEXT: main;outer;outer;[rethrowing];throws;sink 1
// CHECK-NEXT: main;outer;outer;[rethrowing];throws;sink;sink 1
// CHECK-NEXT: main;outer;outer;[rethrowing];throws;sink;sink;thrower 1
// CHECK-NEXT: main;outer;outer;[rethrowing];throws;sink;sink;thrower;leaf 1
// CHECK-NEXT: main;outer;outer;leaf 3
