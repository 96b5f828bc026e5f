// --hcct-allocator=malloc: an executable with a malloc of its own, in instrumented code or not; the C library's calls of it, too; in a static program, which must not get the C library's malloc beside it. Without the option the run says that nothing is counted.
//
// REQUIRES: turn-5
// RUN: rm -rf %t && mkdir -p %t && cd %t && %clang -O1 -DALLOCATOR -c %s -o plain.o && %hcct-cc -O1 -g -DALLOCATOR -c %s -o instrumented.o && %hcct-cc -O1 -g -c %s -o program.o
// RUN: for allocator in plain instrumented; do for how in "" "-fuse-ld=lld" "-no-pie"; do %hcct-cc $how --hcct-allocator=malloc program.o $allocator.o -o x && env HCCT_OPTIONS=metric=heap:mode=cct ./x > out && \
// RUN:   %hcct-decode --value=blocks --all --format=folded ids.bin | FileCheck --match-full-lines %s && %hcct-decode --value=live --all --format=folded ids.bin | FileCheck --check-prefix=LIVE --match-full-lines %s && \
// RUN:   env HCCT_OPTIONS=output=calls.bin ./x | diff out - || exit 1; done; done
// RUN: for allocator in plain instrumented; do for how in -static -static-pie "-static -fuse-ld=lld" "-static-pie -fuse-ld=lld"; do rm ids.bin && %hcct-cc $how program.o $allocator.o -o static 2> %t/warnings && env HCCT_OPTIONS=metric=heap:mode=cct ./static | diff out - && \
// RUN:   %hcct-decode --value=blocks --all --format=folded ids.bin | FileCheck --match-full-lines %s || exit 1; done; done
// The C library calls such a malloc before it can tell the runtime of the program. Calls are counted from there on.
// RUN: env HCCT_OPTIONS=mode=cct:output=static.bin ./static && %hcct-decode --all --format=folded static.bin | FileCheck --check-prefix=CALLS --match-full-lines %s
// CALLS-DAG: main;some;[malloc];malloc 10
// CALLS-DAG: main;some;[free];free 2
// CALLS-DAG: malloc {{[1-9]}}
// RUN: %hcct-cc program.o plain.o -o without && env HCCT_OPTIONS=metric=heap ./without 2>&1 | FileCheck --check-prefix=WITHOUT %s && HCCT_ALLOCATOR=malloc %hcct-cc program.o plain.o -o with && env HCCT_OPTIONS=metric=heap ./with 2>&1 | FileCheck --check-prefix=NONE --allow-empty %s
// What the allocator lacks is the C library's; and all of it in a program that has none, though the option is given.
// RUN: %hcct-cc -O1 -g -DMORE --hcct-allocator=malloc %s plain.o -o more && env HCCT_OPTIONS=metric=heap:mode=cct ./more | diff out - && %hcct-decode --value=blocks --all --format=folded ids.bin | FileCheck --check-prefixes=CHECK,MORE --match-full-lines %s
// RUN: echo 'unsigned own_calls;' > none.c && for how in "" "-no-pie" "-fuse-ld=lld" "-static"; do %hcct-cc $how -O1 -g -DMORE --hcct-allocator=malloc %s none.c -o none && env HCCT_OPTIONS=metric=heap:mode=cct ./none | grep -x not && \
// RUN:   %hcct-decode --value=blocks --all --format=folded ids.bin | FileCheck --check-prefixes=CHECK,MORE --match-full-lines %s || exit 1; done
// MORE-DAG: main;[valloc] 1
// CHECK-DAG: main;some;[malloc] 10
// CHECK-DAG: main;some;[realloc] 1
// CHECK-DAG: main;[strdup] 1
// LIVE-DAG: main;some;[malloc] 800
// LIVE-DAG: main;[strdup] 7
// LIVE-NOT: {{.*}}realloc{{.*}}
// WITHOUT: nothing is counted (link it with hcct-cc --hcct-allocator=malloc
// NONE-NOT: nothing is counted
#include <stddef.h>
#ifdef ALLOCATOR
static _Alignas(16) char memory[1 << 20];
static size_t used;
unsigned own_calls;
void *malloc(size_t bytes)
{
    size_t *block = (size_t *)(void *)(memory + used);
    used += (bytes + 31) / 16 * 16;
    *block = bytes;
    own_calls++;
    return used <= sizeof memory ? block + 2 : NULL;
}
void free(void *block)
{
    (void)block;
}
void *calloc(size_t count, size_t bytes)
{
    return malloc(count * bytes); // memory is new
}
void *realloc(void *old, size_t bytes)
{
    char *to = malloc(bytes), *from = old;
    for (size_t i = 0; from && i < bytes && i < ((size_t *)old)[-2]; i++)
        to[i] = from[i];
    return to;
}
#else
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern unsigned own_calls;
#define FUNCTION __attribute__((noinline, optnone))
static void *kept[10];
FUNCTION static void some(void)
{
    for (int i = 0; i < 10; i++)
        kept[i] = malloc(100);
    kept[0] = realloc(kept[0], 300);
    free(kept[0]);
    free(kept[1]);
}

int main(void)
{
    some();
    kept[0] = strdup("a text");
#ifdef MORE
    kept[1] = valloc(100);
#endif
    if (write(1, own_calls >= 12 ? "own\n" : "not\n", 4) != 4 || !kept[0])
        return 1;
}
#endif
