// GNU ld, --gc-sections: what nobody needs stays, as its record does (docs/boundaries.md says why), unless the program's own build asks for
// -z start-stop-gc; the profile is the same either way.
// RUN: %hcct-cc -O0 -ffunction-sections -I%inputs -c %s -o %t.o
// RUN: %hcct-cc -fuse-ld=bfd -Wl,--gc-sections %t.o -o %t.b && sh %inputs/exact.sh %hcct-decode %s %t.b && nm %t.b | grep -w unreferenced
// RUN: %hcct-cc -fuse-ld=bfd -Wl,--gc-sections -Wl,-z,start-stop-gc %t.o -o %t.g && sh %inputs/exact.sh %hcct-decode %s %t.g && nm %t.g | not grep -w unreferenced
// Why hcct-cc does not ask for that itself: sections of the program's own, which it walks through from __start_ to __stop_, would go, too.
// RUN: %t.b registered && not %t.g registered
#include <string.h>

#include "e2e.h"

typedef void registered(void);
extern registered *const __start_registry[] __attribute__((weak)), *const __stop_registry[] __attribute__((weak));

NOINLINE void leaf(void)
{
    work();
}

__attribute__((section("registry"), used)) static registered *const entry = leaf;

void unreferenced(void)
{
    leaf();
}

int main(int argc, char **argv)
{
    leaf();
    return argc > 1 && !strcmp(argv[1], "registered") && __stop_registry - __start_registry != 1;
}
// CHECK: main 1
// CHECK-NEXT: main;leaf 1
