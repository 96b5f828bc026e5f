// A plugin without a build id, loaded again and again: it is one object, unless it was built anew in between. Of more objects than the 4,096 that
// have room, the first count, also when they return. A warning and the profile tell of the others, and their calls do not search for new objects.
// RUN: split-file %s %t && cd %t && %hcct-cc -O1 -shared -fPIC -I%inputs -Wl,--build-id=none plugin.c -o one.so
// RUN: %hcct-cc -O1 -shared -fPIC -I%inputs -Wl,--build-id=none -DANEW plugin.c -o anew.so && %hcct-cc -O1 -I%inputs main.c -o main -ldl
// RUN: cp one.so plugin-1.so && env HCCT_OPTIONS=mode=cct:output=again.bin ./main again && %hcct-decode --format=folded --all again.bin | \
// RUN:   FileCheck --match-full-lines --check-prefix=AGAIN --implicit-check-not={{.}} %s
// RUN: %hcct-decode again.bin | grep -x 'sound: nothing dropped, nothing lost'
// RUN: rm -f link* && env HCCT_OPTIONS=mode=cct:output=many.bin ./main many 2> err; FileCheck --check-prefix=WARNING --implicit-check-not=hcct: %s < err
// RUN: %hcct-decode --format=folded --all many.bin | FileCheck --match-full-lines --check-prefix=MANY --implicit-check-not={{.}} %s
// RUN: %hcct-decode many.bin | grep -x 'not exact: 1002 calls dropped in objects beyond the first 4,096, or for lack of memory'
//--- plugin.c
#include "e2e.h"
#ifdef ANEW
NOINLINE int leap(void) { work(); return 1; }
NOINLINE int entry(void) { return leap(); }
#else
NOINLINE int leaf(void) { work(); return 1; }
NOINLINE int entry(void) { return leaf(); }
#endif
//--- main.c
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "e2e.h"

static long visits;
struct visitor {
    int (*visit)(struct dl_phdr_info *, size_t, void *);
    void *context;
};

__attribute__((no_profile_instrument_function)) static int count(struct dl_phdr_info *info, size_t bytes, void *visitor)
{
    visits++;
    return ((struct visitor *)visitor)->visit(info, bytes, ((struct visitor *)visitor)->context);
}

/* The profiler calls this in place of the C library's. */
__attribute__((no_profile_instrument_function)) int dl_iterate_phdr(int (*visit)(struct dl_phdr_info *, size_t, void *), void *context)
{
    static int (*next)(int (*)(struct dl_phdr_info *, size_t, void *), void *);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "dl_iterate_phdr");
    return next(count, &(struct visitor){visit, context});
}

static NOINLINE void use(const char *name, int calls)
{
    void *library = dlopen(name, RTLD_NOW);
    int (*entry)(void) = library ? (int (*)(void))dlsym(library, "entry") : NULL;
    if (!entry)
        abort();
    entry();
    long before = visits;
    for (int i = 1; i < calls; i++)
        entry();
    if (visits - before > 4 * calls) /* two entries and one push: each looks at the first object at most */
        abort();
    dlclose(library);
}

__attribute__((no_profile_instrument_function)) static void replace(const char *name)
{
    if (rename(name, "plugin.so"))
        abort();
}

int main(int count, char **arguments)
{
    char name[32];
    if (count > 1 && strcmp(arguments[1], "again") == 0) {
        replace("plugin-1.so");
        for (int i = 0; i < 600; i++)
            use("./plugin.so", 2);
        replace("anew.so");
        use("./plugin.so", 3);
        return 0;
    }
    for (int i = 1; i <= 4097; i++) { /* the program is the first object */
        sprintf(name, "./link%d.so", i);
        if (symlink("one.so", name))
            abort();
        use(name, i > 4095 ? 250 : 1);
    }
    use("./link4096.so", 1);
    use("./link4095.so", 1);
    return 0;
}
// AGAIN: main 1
// AGAIN-NEXT: main;use 601
// AGAIN-NEXT: main;use;entry 1203
// AGAIN-NEXT: main;use;entry;leaf 1200
// AGAIN-NEXT: main;use;entry;leap 3
// WARNING: hcct: ./link4096.so: too many instrumented objects, so its calls are not counted, nor those of later objects
// MANY: [other] 1002
// MANY-NEXT: main 1
// MANY-NEXT: main;use 4099
// MANY-NEXT: main;use;entry 4096
// MANY-NEXT: main;use;entry;leaf 4096
