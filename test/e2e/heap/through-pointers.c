// metric=heap: of a call through a pointer in an inlined function, the bytes belong to the function that it is part of: inlined frames have no counts.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && %hcct-cc -O1 -g %s -o x && env HCCT_OPTIONS=metric=heap:mode=cct ./x
// RUN: for how in "" "--no-inlines"; do %hcct-decode --all --value=blocks --format=folded $how | FileCheck --match-full-lines --implicit-check-not='{{.}}' %s || exit 1; done
// RUN: %hcct-decode --all --value=blocks | FileCheck --check-prefix=TREE %s
// RUN: %hcct-decode --all --value=blocks --format=json -o x.json && python3 -c 'import json; p = json.load(open("x.json")); assert not [n for n in p["nodes"] if n["count"] is not None and p["frames"][n["frame"]]["kind"] == "inlined"]'
// CHECK: main;work 10
// CHECK-NEXT: main;work;[malloc] 3
// TREE: 100.00% {{.*}}main
#include <stdlib.h>

static void *(*volatile allocate)(size_t) = malloc;

static inline __attribute__((always_inline)) void *through(size_t bytes)
{
    return allocate(bytes);
}

__attribute__((noinline)) void work(void *volatile *to)
{
    for (int i = 0; i < 10; i++)
        *to = through(100);
    for (int i = 0; i < 3; i++)
        *to = malloc(10);
}

int main(void)
{
    void *volatile last;
    work(&last);
}
