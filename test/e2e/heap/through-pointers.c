// metric=heap: of a call through a pointer in an inlined function, the bytes belong to that function's frame; without inlined frames to the function that it is part of.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && %hcct-cc -O1 -g %s -o x && env HCCT_OPTIONS=metric=heap:mode=cct ./x
// RUN: %hcct-decode --all --value=blocks --format=folded | FileCheck --match-full-lines --implicit-check-not='{{.}}' %s
// RUN: %hcct-decode --all --value=blocks --format=folded --no-inlines | FileCheck --check-prefix=WITHOUT --match-full-lines --implicit-check-not='{{.}}' %s
// RUN: %hcct-decode --all --value=blocks --no-inlines | FileCheck --check-prefix=TREE %s
// CHECK: main;work;[malloc] 3
// CHECK-NEXT: main;work;through 10
// WITHOUT: main;work 10
// WITHOUT-NEXT: main;work;[malloc] 3
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
