// --hcct-externals across shared objects: whoever is instrumented counts itself, whoever is not is counted where it is called, whichever part was compiled how.
// A library that dlopen brings, that is unloaded and comes again, counts as well.
// REQUIRES: turn-5
// RUN: split-file %s %t && cd %t && %clang -O1 -fPIC -shared plain.c -o libplain.so
// RUN: for lib in "%clang" "%hcct-cc" "%hcct-cc --hcct-externals=nothing"; do \
// RUN:   $lib -O1 -fPIC -shared lib.c -o liblib.so && %hcct-cc --hcct-externals=lib_get -O2 -fPIC -shared plug.c -L. -llib -o plug.so && \
// RUN:   for how in "" "-fno-pie -no-pie" "-fPIC -Wl,-z,lazy" -flto -flto=thin "-flto -fno-pie -no-pie" "-flto=thin -fno-pie -no-pie"; do \
// RUN:     %hcct-cc '--hcct-externals=^(lib|plain|absent)_' $how -O2 main.c -L. -llib -lplain -Wl,-rpath,%t -o x && LD_LIBRARY_PATH=%t sh %inputs/exact.sh %hcct-decode %s %t/x || exit 1; \
// RUN:   done; done
// What malloc, which the library calls, is counted by the library alone.
// RUN: %hcct-cc --hcct-externals=malloc -O1 -fPIC -shared lib.c -o liblib.so && LD_LIBRARY_PATH=%t env CHECKS=MALLOC sh %inputs/exact.sh %hcct-decode %s %t/x
//--- lib.c
#include <stdlib.h>
void *lib_get(int bytes) { return malloc(bytes); }
//--- plain.c
int plain_next(int n) { return n + 1; }
int plain_through(int (*f)(int), int count)
{
    int sum = 0;
    while (count--)
        sum += f(count);
    return sum;
}
//--- plug.c
#include <stdlib.h>
void *lib_get(int bytes);
__attribute__((noinline)) static void inner(void) { free(lib_get(1)); }
void plug(int count)
{
    while (count--)
        inner();
}
//--- main.c
#include <dlfcn.h>
#include <stdlib.h>
void *lib_get(int bytes);
int plain_next(int n);
int plain_through(int (*f)(int), int count);
void absent_everywhere(void) __attribute__((weak));
__attribute__((noinline)) static int back(int n) { return plain_next(n) + 1; }
static void run(int count)
{
    void *library = dlopen("./plug.so", RTLD_NOW);
    ((void (*)(int))dlsym(library, "plug"))(count);
    dlclose(library);
}
int main(void)
{
    for (int i = 0; i < 3; i++)
        free(lib_get(4));
    if (absent_everywhere)
        absent_everywhere();
    run(3);
    run(2);
    return plain_through(back, 4) == 0;
}
// CHECK: main 1
// CHECK-NEXT: main;[plain_through];back 4
// CHECK-NEXT: main;[plain_through];back;plain_next 4
// CHECK-NEXT: main;lib_get 3
// CHECK-NEXT: main;plain_through 1
// CHECK-NEXT: main;plug 2
// CHECK-NEXT: main;plug;inner 5
// CHECK-NEXT: main;plug;inner;lib_get 5
// MALLOC: main 1
// MALLOC-NEXT: main;[plain_through];back 4
// MALLOC-NEXT: main;[plain_through];back;plain_next 4
// MALLOC-NEXT: main;lib_get 3
// MALLOC-NEXT: main;lib_get;malloc 3
// MALLOC-NEXT: main;plain_through 1
// MALLOC-NEXT: main;plug 2
// MALLOC-NEXT: main;plug;inner 5
// MALLOC-NEXT: main;plug;inner;lib_get 5
// MALLOC-NEXT: main;plug;inner;lib_get;malloc 5
