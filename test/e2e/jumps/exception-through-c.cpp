// An exception that unwinds through C frames, instrumented and not.
// RUN: %clang -O2 -fexceptions -c %inputs/library.c -o %t.o
// RUN: split-file %s %t && cd %t
// RUN: %hcct-cc -O0 -fexceptions -I%inputs -c frames.c && %hcct-c++ -O0 -I%inputs main.cpp frames.o %t.o -o 0 && sh %inputs/exact.sh %hcct-decode %s %t/0
// RUN: %hcct-cc -O2 -fexceptions -I%inputs -c frames.c && %hcct-c++ -O2 -I%inputs main.cpp frames.o %t.o -o 2 && sh %inputs/exact.sh %hcct-decode %s %t/2
//--- frames.c
#include "e2e.h"
#include "library.h"
NOINLINE void c_frame(callback *function)
{
    function();
    work();
}
NOINLINE void c_frame_with_library(callback *function)
{
    call(function);
    work();
}
//--- main.cpp
#include "e2e.h"
#include "library.h"
extern "C" {
void c_frame(callback *), c_frame_with_library(callback *);
NOINLINE void leaf() { work(); }
NOINLINE void thrower()
{
    leaf();
    throw 1;
}
void (*volatile frame)(callback *);
NOINLINE void catcher()
{
    try {
        frame(thrower);
    } catch (int) {
        leaf();
    }
    call(leaf);
    work();
}
}
int main()
{
    frame = c_frame;
    catcher();
    frame = c_frame_with_library;
    catcher();
    frame = call;
    catcher();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;catcher 3
// CHECK-NEXT: main;catcher;[call];leaf 3
// CHECK-NEXT: main;catcher;c_frame 1
// CHECK-NEXT: main;catcher;c_frame;thrower 1
// CHECK-NEXT: main;catcher;c_frame;thrower;leaf 1
// CHECK-NEXT: main;catcher;c_frame_with_library 1
// CHECK-NEXT: main;catcher;c_frame_with_library;[call];thrower 1
// CHECK-NEXT: main;catcher;c_frame_with_library;[call];thrower;leaf 1
// CHECK-NEXT: main;catcher;leaf 3
// CHECK-NEXT: main;catcher;thrower 1
// CHECK-NEXT: main;catcher;thrower;leaf 1
