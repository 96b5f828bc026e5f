// An instrumented plugin is unloaded by a library that is not instrumented, in a program that never calls dlclose itself; then
// another one is loaded.
// RUN: split-file %s %t && cd %t
// RUN: %hcct-cc -O2 -shared -fPIC -DNAME=first -I%inputs plugin.c -o first.so && %hcct-cc -O2 -shared -fPIC -DNAME=second -I%inputs plugin.c -o second.so
// RUN: %clang -O2 -shared -fPIC loader.c -o libloader.so && %hcct-cc -O2 -I%inputs main.c ./libloader.so -o x && sh %inputs/exact.sh %hcct-decode %s %t/x
//--- plugin.c
#include "e2e.h"
NOINLINE void NAME(void) { work(); }
NOINLINE void entry(void) { NAME(); work(); }
//--- loader.c
#include <dlfcn.h>
#include <stdlib.h>
void once(const char *name)
{
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    void (*entry)(void) = library ? (void (*)(void))dlsym(library, "entry") : NULL;
    if (!entry)
        abort();
    entry();
    dlclose(library);
}
//--- main.c
#include "e2e.h"
void once(const char *);
int main(void)
{
    once("./first.so");
    once("./second.so");
    once("./first.so");
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;[once];entry 3
// CHECK-NEXT: main;[once];entry;first 2
// CHECK-NEXT: main;[once];entry;second 1
