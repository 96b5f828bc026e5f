// A program that is not instrumented loads, unloads and loads instrumented plugins, two of them copies: it runs on, and all loads are in one profile.
// RUN: split-file %s %t && cd %t
// RUN: %hcct-cc -O2 -shared -fPIC -I%inputs plugin.c -o one.so && cp one.so two.so && %hcct-cc -O2 -shared -fPIC -DOTHER -I%inputs plugin.c -o other.so
// RUN: %clang -O2 -I%inputs main.c -o plain && sh %inputs/exact.sh %hcct-decode %s %t/plain
//--- plugin.c
#include "e2e.h"
#ifdef OTHER
#define inner other
#endif
static int calls;
static NOINLINE void inner(void) { work(); }
NOINLINE int entry(void) { inner(); work(); return ++calls; }
//--- main.c
#include <dlfcn.h>
#include <stdlib.h>
static void *libraries[3];
static void use(int i, int expected)
{
    static const char *const names[] = {"./one.so", "./two.so", "./other.so"};
    if (!libraries[i])
        libraries[i] = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    int (*entry)(void) = libraries[i] ? (int (*)(void))dlsym(libraries[i], "entry") : NULL;
    if (!entry || entry() != expected)
        abort();
}
static void unload(int i)
{
    dlclose(libraries[i]);
    libraries[i] = NULL;
}
int main(void)
{
    use(0, 1);
    use(1, 1);
    use(2, 1);
    use(1, 2);
    unload(0);
    unload(1);
    unload(2);
    use(2, 1);
    use(1, 1);
    use(0, 1);
    return 0;
}
// CHECK: entry 7
// CHECK-NEXT: entry;inner 5
// CHECK-NEXT: entry;other 2
