// A shared library that is unloaded, and loaded again, at the same place or where another one has taken it: its counts
// stay, its constructors and its data are new each time.
// RUN: split-file %s %t && cd %t
// RUN: %hcct-cc -O0 -shared -fPIC -I%inputs library.c -o library.so && %hcct-cc -O0 -shared -fPIC -I%inputs other.c -o other.so
// RUN: %hcct-cc -O0 -I%inputs main.c -o 0 && sh %inputs/exact.sh %hcct-decode %s %t/0
//--- library.c
#include "e2e.h"
static NOINLINE void inner(void (*callback)(void)) { callback(); work(); }
NOINLINE void entry(void (*callback)(void)) { inner(callback); inner(callback); work(); }
__attribute__((constructor)) static void loaded(void) { work(); }
__attribute__((destructor)) static void unloaded(void) { work(); }
//--- other.c
#include "e2e.h"
static NOINLINE void another(void) { work(); }
NOINLINE void entry(void (*callback)(void)) { another(); callback(); work(); }
//--- main.c
#include <dlfcn.h>
#include <stdlib.h>
#include "e2e.h"
static NOINLINE void leaf(void) { work(); }
static NOINLINE void use(const char *name)
{
    void *library = dlopen(name, RTLD_NOW);
    void (*entry)(void (*)(void)) = library ? (void (*)(void (*)(void)))dlsym(library, "entry") : NULL;
    if (!entry)
        abort();
    entry(leaf);
    dlclose(library);
    work();
}
int main(void)
{
    use("./library.so");
    use("./other.so");
    use("./library.so");
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;use 3
// CHECK-NEXT: main;use;[dlclose];unloaded 2
// CHECK-NEXT: main;use;[dlopen];loaded 2
// CHECK-NEXT: main;use;entry 3
// CHECK-NEXT: main;use;entry;another 1
// CHECK-NEXT: main;use;entry;inner 4
// CHECK-NEXT: main;use;entry;inner;leaf 4
// CHECK-NEXT: main;use;entry;leaf 1
