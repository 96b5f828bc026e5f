// A call of a library function is noted while it is under way, and no longer: what a handler allocates meanwhile is not its, what it allocates after the handler is,
// and what comes after an exception or a jump out of it is not.
// RUN: rm -rf %t && split-file %s %t && cd %t && %clang -O1 -c plain.c && %hcct-c++ -O1 -g main.cpp plain.o -o noted
// RUN: env HCCT_OPTIONS=metric=heap ./noted && %hcct-decode --format=folded --value=blocks | FileCheck --match-full-lines --implicit-check-not='{{.}}' %s
// The same where nothing is noted.
// RUN: env HCCT_OPTIONS=metric=heap:recursion=fold ./noted && %hcct-decode --format=folded --value=blocks | FileCheck --match-full-lines --implicit-check-not='{{.}}' %s
// CHECK: [libstdc++.so{{[.0-9]*}}] 1
// CHECK-NEXT: [signal 11];handler;[malloc] 2
// CHECK-NEXT: main;[outside] 2
// CHECK-NEXT: main;copies;[strdup] 1
// CHECK-NEXT: main;fails;[operator new(unsigned long)] 1
//--- plain.c
#include <stdlib.h>
void *outside(void) { return malloc(100); }
//--- main.cpp
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/mman.h>
#define NOINLINE __attribute__((noinline))
extern "C" void *outside(void);
static char *page;
static sigjmp_buf back;
static volatile bool jumps;
static void *volatile kept;
extern "C" NOINLINE void handler(int)
{
    kept = malloc(24);
    if (jumps)
        siglongjmp(back, 1);
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
}
/* strdup reads the page, which calls the handler, before it allocates. */
extern "C" NOINLINE void copies() { kept = strdup(page); }
extern "C" NOINLINE void fails() { kept = operator new((size_t)1 << 62); } /* allocates an exception */
int main()
{
    page = (char *)mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    signal(SIGSEGV, handler);
    copies();
    try {
        fails();
    } catch (const std::bad_alloc &) {
        kept = outside();
    }
    mprotect(page, 4096, PROT_NONE);
    jumps = true;
    if (sigsetjmp(back, 1) == 0)
        copies();
    kept = outside();
}
