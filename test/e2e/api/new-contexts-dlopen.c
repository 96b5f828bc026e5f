// known= with a library that dlopen brings: at start the program has fewer numbers than the known profile. Its contexts are told apart by their paths.
// UNSUPPORTED: target-aarch64
// RUN: %hcct-cc -O2 -DLIBRARY -fPIC -shared %s -o %t.so && %hcct-cc -O2 -I%hcct-source/include -rdynamic %s -ldl -o %t
// RUN: HCCT_OPTIONS=mode=cct:output=%t.known %t %t.so 1
// RUN: HCCT_OPTIONS=mode=cct:output=%t.new:known=%t.known %t %t.so 1 | FileCheck --check-prefix=SAME %s
// RUN: HCCT_OPTIONS=mode=cct:output=%t.new:known=%t.known %t %t.so 2 | FileCheck --check-prefix=MORE %s
// RUN: %hcct-decode --new --format=folded %t.new | FileCheck --check-prefix=NEW --match-full-lines --implicit-check-not='{{.}}' %s
// SAME: new 0
// MORE: main;use;descend;descend;descend
// MORE-NEXT: new 1
// NEW: [other] 4
// NEW-NEXT: main;use;descend;descend;descend 1
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) int descend(int n);
#ifdef LIBRARY
static volatile int sink;

int descend(int n)
{
    int rest = n ? descend(n - 1) : 0;
    sink = rest;
    return rest;
}
#else
#include <dlfcn.h>
#include <hcct/hcct.h>

static void tell(uint64_t context, void *unused)
{
    char text[100];
    (void)context, (void)unused;
    hcct_context_describe(text, sizeof text);
    puts(text);
}

static __attribute__((noinline)) int use(int (*function)(int), int n)
{
    return function(n);
}

int main(int argc, char **argv)
{
    hcct_on_new_context(tell, NULL);
    void *library = argc == 3 ? dlopen(argv[1], RTLD_NOW) : NULL;
    int (*function)(int) = library ? (int (*)(int))dlsym(library, "descend") : NULL;
    if (!function || use(function, atoi(argv[2])) < 0)
        return 1;
    printf("new %d\n", (int)hcct_new_context_count());
    return 0;
}
#endif
