// An exception that meets noexcept ends the program through the terminate handler, which runs below what threw, and the
// profile is written; so is a rethrow with no exception, and an uncaught one.
// RUN: %hcct-c++ -O0 -I%inputs %s -o %t.0 && sh %inputs/terminates.sh %hcct-decode %s %t.0
// RUN: %hcct-c++ -O2 -I%inputs %s -o %t.2 && sh %inputs/terminates.sh %hcct-decode %s %t.2
#include <exception>
#include <stdlib.h>
#include <string.h>

#include "e2e.h"

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
NOINLINE void never_throws() noexcept
{
    sink(1);
    work();
}
NOINLINE void rethrows()
{
    leaf();
    throw;
}
NOINLINE void uncaught()
{
    sink(0);
    work();
}
void on_terminate()
{
    leaf();
    _Exit(7);
}
}

int main(int count, char **arguments)
{
    if (count > 2)
        std::set_terminate(on_terminate);
    if (strcmp(arguments[1], "noexcept") == 0)
        never_throws();
    else if (strcmp(arguments[1], "rethrow") == 0)
        rethrows();
    else
        uncaught();
    work();
    return 0;
}
// With a handler and without: by abort.
// NOEXCEPT: main 1
// NOEXCEPT-NEXT: main;never_throws 1
// NOEXCEPT-NEXT: main;never_throws;__clang_call_terminate 1
// NOEXCEPT-NEXT: main;never_throws;sink 1
// NOEXCEPT-NEXT: main;never_throws;sink;sink 1
// NOEXCEPT-NEXT: main;never_throws;sink;sink;thrower 1
// NOEXCEPT-NEXT: main;never_throws;sink;sink;thrower;leaf 1
// RETHROW: main 1
// RETHROW-NEXT: main;rethrows 1
// RETHROW-NEXT: main;rethrows;leaf 1
// UNCAUGHT: main 1
// UNCAUGHT-NEXT: main;uncaught 1
// UNCAUGHT-NEXT: main;uncaught;sink 1
// UNCAUGHT-NEXT: main;uncaught;sink;thrower 1
// UNCAUGHT-NEXT: main;uncaught;sink;thrower;leaf 1
