// Two copies of one plugin and one with the same names, loaded with RTLD_LOCAL side by side, unloaded and loaded again in another order: each
// has its own functions and variables, one profile has them all.
// RUN: split-file %s %t && cd %t
// RUN: for level in 0 2; do %hcct-cc -O$level -shared -fPIC -I%inputs plugin.c -o one.so && cp one.so two.so && \
// RUN:   %hcct-cc -O$level -shared -fPIC -I%inputs -DOTHER plugin.c -o other.so && %hcct-cc -O$level -I%inputs main.c -o $level && \
// RUN:   sh %inputs/exact.sh %hcct-decode %s %t/$level || exit 1; done
//--- plugin.c
#include "e2e.h"
typedef void callback(void);
static int calls;
static NOINLINE void inner(callback *back)
{
    if (back)
        back();
    work();
}
#ifdef OTHER
NOINLINE void other(callback *back) { inner(back); inner(back); work(); }
NOINLINE int entry(callback *back) { other(back); return ++calls; }
#else
NOINLINE int entry(callback *back) { inner(back); work(); return ++calls; }
#endif
//--- main.c
#include <dlfcn.h>
#include <stdlib.h>
#include "e2e.h"
typedef int plugin(void (*)(void));
static NOINLINE void leaf(void) { work(); }
static void *libraries[3];
static plugin *entries[3];
static NOINLINE void load(int i)
{
    static const char *const names[] = {"./one.so", "./two.so", "./other.so"};
    libraries[i] = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    entries[i] = libraries[i] ? (plugin *)dlsym(libraries[i], "entry") : NULL;
    if (!entries[i])
        abort();
}
static NOINLINE void use(int i, int expected)
{
    if (entries[i](leaf) != expected)
        abort();
}
static NOINLINE void nested(void) { use(1, 3); use(2, 2); }
static NOINLINE void nest(void)
{
    if (entries[0](nested) != 2)
        abort();
}
int main(void)
{
    load(0);
    load(1);
    load(2);
    use(0, 1);
    use(1, 1);
    use(1, 2);
    use(2, 1);
    nest();
    for (int i = 0; i < 3; i++)
        dlclose(libraries[i]);
    load(2);
    load(1);
    use(2, 1);
    use(1, 1);
    load(0);
    use(0, 1);
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;load 6
// CHECK-NEXT: main;nest 1
// CHECK-NEXT: main;nest;entry 1
// CHECK-NEXT: main;nest;entry;inner 1
// CHECK-NEXT: main;nest;entry;inner;nested 1
// CHECK-NEXT: main;nest;entry;inner;nested;use 2
// CHECK-NEXT: main;nest;entry;inner;nested;use;entry 2
// CHECK-NEXT: main;nest;entry;inner;nested;use;entry;inner 1
// CHECK-NEXT: main;nest;entry;inner;nested;use;entry;inner;leaf 1
// CHECK-NEXT: main;nest;entry;inner;nested;use;entry;other 1
// CHECK-NEXT: main;nest;entry;inner;nested;use;entry;other;inner 2
// CHECK-NEXT: main;nest;entry;inner;nested;use;entry;other;inner;leaf 2
// CHECK-NEXT: main;use 7
// CHECK-NEXT: main;use;entry 7
// CHECK-NEXT: main;use;entry;inner 5
// CHECK-NEXT: main;use;entry;inner;leaf 5
// CHECK-NEXT: main;use;entry;other 2
// CHECK-NEXT: main;use;entry;other;inner 4
// CHECK-NEXT: main;use;entry;other;inner;leaf 4
