// _Unwind_ForcedUnwind and _Unwind_RaiseException called directly: cleanups run where they stand, of code that is not
// instrumented too, and its stop function is below the caller.
// RUN: split-file %s %t && cd %t && %clang++ -O2 -c library.cpp -o library.o
// RUN: %hcct-c++ -O0 -I%inputs main.cpp library.o -o 0 && sh %inputs/exact.sh %hcct-decode %s %t/0
// RUN: %hcct-c++ -O2 -I%inputs main.cpp library.o -o 2 && sh %inputs/exact.sh %hcct-decode %s %t/2
//--- library.cpp
struct Cleanup {
    void (*function)();
    __attribute__((noinline)) ~Cleanup()
    {
        char room[20000];
        __asm__ volatile("" ::"r"(room) : "memory");
        function();
        __asm__ volatile("" ::"r"(room) : "memory");
    }
};
extern "C" void guard(void (*inside)(), void (*at_end)())
{
    Cleanup cleanup = {at_end};
    inside();
}
//--- main.cpp
#include <setjmp.h>
#include <stdlib.h>
#include <unwind.h>

#include "e2e.h"

extern "C" {
void guard(void (*inside)(), void (*at_end)());

static jmp_buf target;
static _Unwind_Exception exception;

NOINLINE void leaf() { work(); }

/* Not called for a frame twice: ends the unwinding in the frame of `attempt`. */
__attribute__((no_profile_instrument_function)) _Unwind_Reason_Code stop(int, _Unwind_Action actions,
    _Unwind_Exception_Class, _Unwind_Exception *, _Unwind_Context *context, void *last)
{
    if (_Unwind_GetCFA(context) > (uintptr_t)last || (actions & _UA_END_OF_STACK))
        longjmp(target, 1);
    return _URC_NO_REASON;
}

static char *volatile last;

NOINLINE void unwinds()
{
    leaf();
    _Unwind_ForcedUnwind(&exception, stop, last);
    abort();
}

void (*volatile pointer)() = unwinds;

NOINLINE void at_end()
{
    leaf();
    work();
}

struct Own {
    __attribute__((always_inline)) ~Own() { at_end(); }
};

NOINLINE void sink(int depth)
{
    Own own;
    if (depth)
        sink(depth - 1);
    else
        pointer();
    work();
}

void inside()
{
    sink(1);
    work();
}

NOINLINE void attempt()
{
    char here;
    last = &here;
    if (setjmp(target) == 0)
        guard(inside, at_end);
    guard(leaf, leaf);
    leaf();
    work();
}
}

int main()
{
    attempt();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;attempt 1
// CHECK-NEXT: main;attempt;[guard];at_end 1
// CHECK-NEXT: main;attempt;[guard];at_end;leaf 1
// CHECK-NEXT: main;attempt;[guard];inside 1
// CHECK-NEXT: main;attempt;[guard];inside;sink 1
// CHECK-NEXT: main;attempt;[guard];inside;sink;at_end 1
// CHECK-NEXT: main;attempt;[guard];inside;sink;at_end;leaf 1
// CHECK-NEXT: main;attempt;[guard];inside;sink;sink 1
// CHECK-NEXT: main;attempt;[guard];inside;sink;sink;at_end 1
// CHECK-NEXT: main;attempt;[guard];inside;sink;sink;at_end;leaf 1
// CHECK-NEXT: main;attempt;[guard];inside;sink;sink;unwinds 1
// CHECK-NEXT: main;attempt;[guard];inside;sink;sink;unwinds;leaf 1
// CHECK-NEXT: main;attempt;[guard];leaf 2
// CHECK-NEXT: main;attempt;leaf 1
