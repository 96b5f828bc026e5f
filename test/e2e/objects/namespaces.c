// Instrumented libraries in namespaces of their own (dlmopen), and one that audits the dynamic linker (LD_AUDIT), do not find the program's runtime: theirs
// stays idle, says so, and leaves the program and its profile as they are.
// UNSUPPORTED: target-aarch64
// RUN: rm -rf %t && split-file %s %t && cd %t && %hcct-cc -O1 -fPIC -shared library.c -o library.so && %hcct-cc -O1 -fPIC -shared auditor.c -o auditor.so
// RUN: %hcct-cc -O1 -g main.c -o x && %clang -O1 main.c -o plain
// glibc has room for the thread-local data of two runtimes; the tunable is for more of them.
// RUN: for mode in hcct cct; do for copies in 2 9; do \
// RUN:   env GLIBC_TUNABLES=glibc.rtld.optional_static_tls=8192 HCCT_OPTIONS=mode=$mode:output=x.bin ./x $copies > got 2> err && test $(grep -c 'by dlmopen.*not counted' err) = $copies && \
// RUN:   %hcct-decode --all --format=folded x.bin | FileCheck --match-full-lines --check-prefix=COPIES$copies %s || exit 1; done; done
// RUN: ./x 2 2> /dev/null | grep -x 20
// COPIES2: main 1
// COPIES2-NEXT: main;back 6
// COPIES2-NOT: {{.}}
// COPIES9: main 1
// COPIES9-NEXT: main;back 27
// COPIES9-NOT: {{.}}
// RUN: for program in plain x; do rm -f x.bin && env LD_AUDIT=./auditor.so HCCT_OPTIONS=mode=cct:output=x.bin ./$program 0 > got 2> err && grep -x 0 got && \
// RUN:   test "$(cat err)" = "hcct: LD_AUDIT: calls of auditors are not counted" || exit 1; done
// RUN: %hcct-decode --all --format=folded x.bin | grep -x 'main 1'
//--- library.c
static __attribute__((noinline)) int leaf(int n) { static volatile int sum; return sum += n; }
int library(int (*back)(int)) { return leaf(1) + leaf(2) + back(1) + back(2) + back(3); }
//--- auditor.c
#define _GNU_SOURCE
#include <link.h>
static __attribute__((noinline)) unsigned leaf(unsigned n) { static volatile unsigned sum; return sum += n; }
unsigned la_version(unsigned version) { leaf(1); return version < LAV_CURRENT ? version : LAV_CURRENT; }
unsigned la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie) { (void)map, (void)space, (void)cookie; return leaf(1) ? LA_FLG_BINDTO | LA_FLG_BINDFROM : 0; }
void la_preinit(uintptr_t *cookie) { (void)cookie; leaf(1); }
//--- main.c
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
static __attribute__((noinline)) int back(int n) { __asm__ volatile("" : "+r"(n)); return n; }
int main(int count, char **arguments)
{
    int sum = 0, copies = count > 1 ? atoi(arguments[1]) : 2;
    for (int i = 0; i < copies; i++) {
        void *space = dlmopen(LM_ID_NEWLM, "./library.so", RTLD_NOW | RTLD_LOCAL);
        int (*library)(int (*)(int)) = space ? (int (*)(int (*)(int)))dlsym(space, "library") : NULL;
        if (!library) {
            puts(dlerror());
            return 1;
        }
        sum += library(back);
    }
    printf("%d\n", sum);
    return 0;
}
