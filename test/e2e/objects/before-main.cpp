// Before and after main: constructors with priorities, .preinit_array behind the profiler's, objects' and thread-local
// initialisers, atexit, on_exit, destructors with priorities: each begins a path, or hangs below what ran it.
// RUN: split-file %s %t && %hcct-c++ -O0 -I%inputs %t/program.cpp -o %t/0 -lpthread && %hcct-c++ -O2 -I%inputs %t/program.cpp -o %t/2 -lpthread
// RUN: %hcct-c++ -O2 -static -I%inputs %t/program.cpp -o %t/s -lpthread && %hcct-c++ -O2 -fuse-ld=lld -static-pie -I%inputs %t/program.cpp -o %t/p -lpthread
// RUN: for x in 0 2 s p; do for mode in cct hcct; do HCCT_OPTIONS=mode=$mode:output=%t/bin %t/$x && %hcct-decode --format=folded --all --no-demangle %t/bin | \
// RUN:   sed -f %t/own.sed | LC_ALL=C sort | FileCheck --match-full-lines --implicit-check-not='{{.}}' %s || exit 1; done || exit 1; done
//--- own.sed
# Frames that the compiler made: how many they are is its business.
s/_GLOBAL_[^; ]*;//
s/__cxx_global_var_init[^; ]*;//
s/_ZTW[^; ]*;//
s/__tls_init;//
s/_ZN[56][A-Za-z]*D.Ev;//
/_GLOBAL_[^; ]* [0-9]*$/d
/__cxx_global_var_init[^; ]* [0-9]*$/d
/_ZTW[^; ]* [0-9]*$/d
/__tls_init [0-9]*$/d
/_ZN[56][A-Za-z]*D.Ev [0-9]*$/d
//--- program.cpp
#include <pthread.h>
#include <stdlib.h>

#include "e2e.h"

extern "C" {
NOINLINE void leaf() { work(); }
static void (*volatile pointer)() = leaf;

static int order;

/* The pointer is set when constants are: before any of these. */
__attribute__((constructor(200))) void early()
{
    pointer();
    order = order * 10 + 1;
}
__attribute__((constructor(300))) void later()
{
    leaf();
    order = order * 10 + 2;
}
__attribute__((constructor)) void last()
{
    leaf();
    order = order * 10 + 3;
}
__attribute__((destructor(200))) void final()
{
    pointer();
    work();
}
__attribute__((destructor)) void destroy()
{
    leaf();
    work();
}
void at_exit()
{
    pointer();
    work();
}
void at_exit_nested()
{
    leaf();
    atexit(at_exit);
}
void on_exit_handler(int status, void *argument)
{
    if (status == 0 && argument == &order)
        leaf();
}
void before(int, char **, char **)
{
    leaf();
    work();
}
NOINLINE int make()
{
    leaf();
    return 5;
}
NOINLINE void unmake()
{
    leaf();
    work();
}
}

__attribute__((section(".preinit_array"), used)) static void (*const preinit)(int, char **, char **) = before;

struct Global {
    int value;
    __attribute__((always_inline)) Global() : value(make()) {}
    __attribute__((always_inline)) ~Global() { unmake(); }
};
static Global global __attribute__((init_priority(250)));

struct Local {
    int value;
    __attribute__((always_inline)) Local() : value(make()) {}
    __attribute__((always_inline)) ~Local() { unmake(); }
};
static thread_local Local local;

extern "C" void *body(void *unused)
{
    return local.value == 5 ? unused : nullptr;
}

int main()
{
    pthread_t thread;
    void *result;
    if (order != 123 || global.value != 5)
        return 1;
    pthread_create(&thread, nullptr, body, &order);
    pthread_join(thread, &result);
    atexit(at_exit_nested);
    on_exit(on_exit_handler, &order);
    return result != &order;
}
// CHECK: at_exit 1
// CHECK-NEXT: at_exit;leaf 1
// CHECK-NEXT: at_exit_nested 1
// CHECK-NEXT: at_exit_nested;leaf 1
// CHECK-NEXT: before 1
// CHECK-NEXT: before;leaf 1
// CHECK-NEXT: body 1
// CHECK-NEXT: body;make 1
// CHECK-NEXT: body;make;leaf 1
// CHECK-NEXT: destroy 1
// CHECK-NEXT: destroy;leaf 1
// CHECK-NEXT: early 1
// CHECK-NEXT: early;leaf 1
// CHECK-NEXT: final 1
// CHECK-NEXT: final;leaf 1
// CHECK-NEXT: last 1
// CHECK-NEXT: last;leaf 1
// CHECK-NEXT: later 1
// CHECK-NEXT: later;leaf 1
// CHECK-NEXT: main 1
// CHECK-NEXT: make 1
// CHECK-NEXT: make;leaf 1
// CHECK-NEXT: on_exit_handler 1
// CHECK-NEXT: on_exit_handler;leaf 1
// CHECK-NEXT: unmake 1
// CHECK-NEXT: unmake 1
// CHECK-NEXT: unmake;leaf 1
// CHECK-NEXT: unmake;leaf 1
