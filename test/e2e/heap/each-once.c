// metric=heap: a block counts once, with the bytes that were asked for, whichever function gave it out, also if the C library makes one of these functions out of another.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && for how in "-O1" "-O2 -flto" "-O1 -no-pie -Wl,-z,now" "-O1 -static" "-O1 -static-pie -fuse-ld=lld"; do %hcct-cc $how -g %s -o x 2> warnings && env HCCT_OPTIONS=metric=heap:mode=cct ./x || exit 1; \
// RUN:   for value in blocks allocated live; do echo $value; %hcct-decode --value=$value --all --format=folded ids.bin; done > values && FileCheck --match-full-lines %s < values || exit 1; done
// CHECK-LABEL: blocks
// CHECK-DAG: main;[aligned_alloc] 1
// CHECK-DAG: main;[calloc] 1
// CHECK-DAG: main;[malloc] 1
// CHECK-DAG: main;[memalign] 1
// CHECK-DAG: main;[posix_memalign] 1
// CHECK-DAG: main;[pvalloc] 1
// CHECK-DAG: main;[realloc] 1
// CHECK-DAG: main;[reallocarray] 2
// CHECK-DAG: main;[strdup] 1
// CHECK-DAG: main;[valloc] 1
// CHECK-LABEL: allocated
// CHECK-DAG: main;[aligned_alloc] 128
// CHECK-DAG: main;[calloc] 15
// CHECK-DAG: main;[malloc] 7
// CHECK-DAG: main;[memalign] 50
// CHECK-DAG: main;[posix_memalign] 77
// CHECK-DAG: main;[pvalloc] 9
// CHECK-DAG: main;[realloc] 11
// CHECK-DAG: main;[reallocarray] 130
// CHECK-DAG: main;[strdup] 6
// CHECK-DAG: main;[valloc] 10
// CHECK-LABEL: live
// CHECK-NOT: main;[malloc]{{.*}}
// CHECK-DAG: main;[reallocarray] 100
// CHECK-DAG: main;[pvalloc] 9
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *volatile kept[16];

__attribute__((optnone)) int main(void)
{
    volatile size_t far = SIZE_MAX / 4;
    kept[0] = malloc(7);
    kept[1] = calloc(3, 5);
    kept[2] = realloc(NULL, 11);
    kept[3] = memalign(64, 50);
    kept[4] = aligned_alloc(64, 128);
    void *aligned;
    if (posix_memalign(&aligned, 64, 77))
        return 1;
    kept[5] = aligned;
    kept[6] = valloc(10);
    kept[7] = pvalloc(9);
    kept[8] = strdup("hello");
    kept[9] = reallocarray(NULL, 6, 5);
    kept[9] = reallocarray(kept[9], 10, 10);
    errno = 0;
    if (reallocarray(kept[0], far, 5) || errno != ENOMEM) // the block stays
        return 2;
    free(kept[0]);
    return 0;
}
