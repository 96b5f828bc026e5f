// Contexts that only allocate blocks of no bytes are kept, as long as there is room: what leaks of them has its path, and the profile is exact.
// RUN: %hcct-cc -O1 -g %s -o %t.x
// RUN: HCCT_OPTIONS=metric=heap:output=%t.bin %t.x && %hcct-decode --value=blocks --format=folded %t.bin > %t.txt && %hcct-decode --value=blocks %t.bin | grep 'every count exact'
// RUN: printf 'main;none;[malloc] 3\nmain;some;[malloc] 2\n' | diff - %t.txt
#include <stdlib.h>

static void *volatile kept;

static __attribute__((noinline)) void none(void)
{
    kept = malloc(0);
}

static __attribute__((noinline)) void some(void)
{
    kept = malloc(8);
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        none();
    for (int i = 0; i < 2; i++)
        some();
    return 0;
}
