// Each linker that is installed, each kind of executable, sections collected, identical code folded, symbols stripped, relocations packed: the same profile,
// of a program of several objects and a library. Two functions with equal bodies are counted apart.
// REQUIRES: turn-3
// RUN: rm -rf %t && split-file %s %t && cd %t && %hcct-cc -O2 -fPIC -ffunction-sections -fdata-sections -I%inputs -c one.c && %hcct-cc -O2 -fPIC -ffunction-sections -fdata-sections -I%inputs -c two.c
// RUN: sh each.sh %hcct-cc > log && cat log && sort -u -k2 log | cut -d' ' -f2 | FileCheck --check-prefix=ALL %s
// RUN: for x in x-*; do case $x in *.bin|*.lost) ;; *) sh %inputs/exact.sh %hcct-decode %s %t/$x || { echo "failed: $x"; exit 1; } ;; esac; done
// Each of them counts the heap, too.
// RUN: for x in x-*; do case $x in *.bin|*.lost) ;; *) HCCT_OPTIONS=metric=heap:output=heap.bin ./$x && %hcct-decode --format=folded heap.bin | grep -qx 'main;\[malloc\] 100' || { echo "failed: $x"; exit 1; } ;; esac; done
// At least these were linked: whatever the linker, and more with one of them.
// ALL-DAG: {{^}}pie
// ALL-DAG: {{^}}no-pie
// ALL-DAG: {{^}}static
// ALL-DAG: {{^}}static-pie
// ALL-DAG: {{^}}shared
// ALL-DAG: {{^}}collected
// ALL-DAG: {{^}}folded
// ALL-DAG: {{^}}stripped
// ALL-DAG: {{^}}symbolic
//--- each.sh
# each.sh COMPILER: links x-LINKER-MODE of each kind, and says what it linked.
link() { # MODE OPTION...
    mode=$1
    shift
    if ! "$cc" -fuse-ld="$linker" "$@" -o "x-$linker-$mode"; then
        echo "$linker: no $mode"
        exit 1
    fi
    echo "$linker $mode"
}
cc=$1
for linker in bfd gold lld mold; do
    command -v ld.$linker >/dev/null || continue
    link pie -pie one.o two.o
    link no-pie -no-pie one.o two.o
    link static -static one.o two.o
    [ $linker = gold ] || link static-pie -static-pie one.o two.o
    link collected -Wl,--gc-sections one.o two.o
    link static-collected -static -Wl,--gc-sections one.o two.o
    link stripped -s -Wl,--build-id=none one.o two.o
    link hashed -Wl,--hash-style=gnu -Wl,-z,now -Wl,-z,relro -Wl,--as-needed one.o two.o
    "$cc" -fuse-ld=$linker -shared two.o -o lib$linker.so && link shared one.o ./lib$linker.so
    "$cc" -fuse-ld=$linker -shared -Wl,-Bsymbolic -Wl,-z,defs two.o -o libs$linker.so && link symbolic one.o ./libs$linker.so
    [ $linker = bfd ] || link folded -Wl,--gc-sections,--icf=all one.o two.o
    [ $linker = gold ] || [ $linker = mold ] || link packed -Wl,-z,pack-relative-relocs one.o two.o
    "$cc" -fuse-ld=$linker -r one.o two.o -o r-$linker.o && link relinked r-$linker.o
done
//--- one.c
#include <stdlib.h>
#include "e2e.h"
void first(int), second(int);
int sum(const int *, int);
static NOINLINE void leaf(void) { work(); }
NOINLINE void unused(void) { leaf(); }
static int compare(const void *a, const void *b) { leaf(); return *(const int *)a - *(const int *)b; }
__attribute__((constructor)) static void before(void) { leaf(); work(); }
__attribute__((destructor)) static void after(void) { leaf(); work(); }
static void handler(void) { leaf(); work(); }
int main(void)
{
    int two[] = {2, 1};
    void *volatile block = malloc(100);
    free(block);
    atexit(handler);
    qsort(two, 2, sizeof two[0], compare);
    first(2);
    second(1);
    return sum(two, 2) != 3;
}
//--- two.c
#include "e2e.h"
static NOINLINE void twin_one(int n) { for (; n > 0; n--) work(); }
static NOINLINE void twin_two(int n) { for (; n > 0; n--) work(); }
NOINLINE void first(int n) { twin_one(n); work(); }
NOINLINE void second(int n) { twin_two(n); work(); }
NOINLINE int sum(const int *list, int count)
{
    int total = count ? *list + sum(list + 1, count - 1) : 0;
    work();
    return total;
}
// CHECK: after 1
// CHECK-NEXT: after;leaf 1
// CHECK-NEXT: before 1
// CHECK-NEXT: before;leaf 1
// CHECK-NEXT: handler 1
// CHECK-NEXT: handler;leaf 1
// CHECK-NEXT: main 1
// CHECK-NEXT: main;[qsort];compare 1
// CHECK-NEXT: main;[qsort];compare;leaf 1
// CHECK-NEXT: main;first 1
// CHECK-NEXT: main;first;twin_one 1
// CHECK-NEXT: main;second 1
// CHECK-NEXT: main;second;twin_two 1
// CHECK-NEXT: main;sum 1
// CHECK-NEXT: main;sum;sum 1
// CHECK-NEXT: main;sum;sum;sum 1
