// The unwinder is where only a library sees it that dlopen loaded with RTLD_LOCAL, and the program has a runtime: exceptions are caught.
// RUN: rm -rf %t && split-file %s %t && cd %t && %clang++ -O2 -fPIC -shared thrower.cpp -o libthrower.so
// RUN: %hcct-cc -O2 -fPIC -shared library.c -o library.so && %clang -O2 main.c ./library.so -o x && HCCT_OPTIONS=mode=cct:output=x.bin ./x && %hcct-decode --all --format=folded x.bin | FileCheck %s
// RUN: %hcct-cc -O2 main.c ./library.so -o y && HCCT_OPTIONS=mode=cct:output=y.bin ./y && %hcct-decode --all --format=folded y.bin | FileCheck %s
// CHECK: {{^(main;)?}}library 1
// CHECK-NEXT: {{^(main;)?}}library;{{.*}}back 2
//--- thrower.cpp
extern "C" int thrower(void (*back)(void))
{
    try {
        back();
        throw 5;
    } catch (int thrown) {
        back();
        return thrown;
    }
}
//--- library.c
static volatile int calls;
static __attribute__((noinline)) void back(void) { calls++; }
int library(int (*thrower)(void (*)(void)))
{
    int thrown = thrower(back);
    return thrown == 5 && calls == 2 ? 0 : 1;
}
//--- main.c
#include <dlfcn.h>
int library(int (*thrower)(void (*)(void)));
int main(void)
{
    void *handle = dlopen("./libthrower.so", RTLD_NOW | RTLD_LOCAL);
    return handle ? library((int (*)(void (*)(void)))dlsym(handle, "thrower")) : 1;
}
