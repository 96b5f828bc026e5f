// A shared library that is loaded by dlopen, twice, and the executable: one profile.
// RUN: split-file %s %t && cd %t
// RUN: %hcct-cc -O0 -shared -fPIC -I%inputs library.c -o library.so && %hcct-cc -O0 -I%inputs main.c -o 0 && sh %inputs/exact.sh %hcct-decode %s %t/0
// RUN: %hcct-cc -O2 -shared -fPIC -I%inputs library.c -o library.so && %hcct-cc -O2 -I%inputs main.c -o 2 && sh %inputs/exact.sh %hcct-decode %s %t/2
// RUN: %hcct-cc -O2 -fuse-ld=lld -shared -fPIC -I%inputs library.c -o library.so && sh %inputs/exact.sh %hcct-decode %s %t/2
//--- library.c
#include "e2e.h"
static NOINLINE void inner(void (*callback)(void)) { callback(); work(); }
NOINLINE void entry(void (*callback)(void)) { inner(callback); inner(callback); work(); }
__attribute__((constructor)) static void loaded(void) { work(); }
//--- main.c
#include <dlfcn.h>
#include <stdlib.h>
#include "e2e.h"
static NOINLINE void leaf(void) { work(); }
static NOINLINE void use(void)
{
    void *library = dlopen("./library.so", RTLD_NOW);
    void (*entry)(void (*)(void)) = library ? (void (*)(void (*)(void)))dlsym(library, "entry") : NULL;
    if (!entry)
        abort();
    entry(leaf);
    work();
}
int main(void)
{
    leaf();
    use();
    use();
    leaf();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;leaf 2
// CHECK-NEXT: main;use 2
// CHECK-NEXT: main;use;[dlopen];loaded 1
// CHECK-NEXT: main;use;entry 2
// CHECK-NEXT: main;use;entry;inner 4
// CHECK-NEXT: main;use;entry;inner;leaf 4
