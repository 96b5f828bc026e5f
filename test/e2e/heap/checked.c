// An allocator that defines malloc and its kin in the version that programs ask for, but not as the default one, as glibc's checking one
// does: all calls lead to it, those of functions whose addresses are bound at start, too. It still finds what it finds without hcct.
// RUN: for how in "-no-pie -fno-pie" ""; do %hcct-cc -O1 $how %s -o %t && LD_PRELOAD=libc_malloc_debug.so.0 GLIBC_TUNABLES=glibc.malloc.check=3 HCCT_OPTIONS=metric=heap:output=%t.bin %t | grep -x done || exit 1; done
// RUN: export LD_PRELOAD=libc_malloc_debug.so.0 GLIBC_TUNABLES=glibc.malloc.check=3; for how in "" heap_scan=on heap_sample=1K; do \
// RUN:   HCCT_OPTIONS=metric=heap:output=%t.bin:$how %t 2>&1 | grep -x done || exit 1; done
// RUN: env LD_PRELOAD=libc_malloc_debug.so.0 GLIBC_TUNABLES=glibc.malloc.check=3 HCCT_OPTIONS=metric=heap:output=%t.bin %t
// RUN: %hcct-decode --format=folded %t.bin | FileCheck --match-full-lines %s
// CHECK: main;allocate;[malloc] 4096
// CHECK: main;grow;[realloc] 3000
// RUN: env LD_PRELOAD=libc_malloc_debug.so.0 GLIBC_TUNABLES=glibc.malloc.check=3 HCCT_OPTIONS=metric=heap:output=%t.bin not --crash %t twice 2>&1 | grep 'free(): invalid pointer'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUT __attribute__((noinline))

static void (*volatile release)(void *) = free;

OUT static char *allocate(size_t bytes)
{
    char *block = malloc(bytes);
    memset(block, 1, bytes);
    return block;
}

OUT static char *grow(char *block, size_t bytes)
{
    char *larger = realloc(block, bytes);
    larger[bytes - 1] = 1;
    return larger;
}

int main(int argc, char **argv)
{
    char *one = allocate(1096), *other = grow(NULL, 1000), *line = NULL;
    size_t size = 0;
    FILE *self = fopen(argv[0], "r");
    if (!self || getdelim(&line, &size, 0, self) < 1)
        return 1;
    fclose(self);
    other = grow(other, 2000);
    release(line);
    free(one);
    release(allocate(3000));
    if (argc > 1)
        free(one);
    release(other);
    puts("done");
    return 0;
}
