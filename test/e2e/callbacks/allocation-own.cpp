// A program's own malloc and free, and what of the C and C++ libraries calls them: each hangs below the function that did.
// REQUIRES: turn-3
// RUN: split-file %s %t && cd %t
// RUN: for level in -O0 -O2 "-O2 -flto" "-O2 -flto=thin"; do echo "$level" && %hcct-cc $level -I%inputs -c own.c && \
// RUN:   %hcct-c++ -std=c++17 -fsized-deallocation $level -I%inputs -c uses.cpp -o "uses$level.o" && %hcct-c++ $level "uses$level.o" own.o -o x && \
// RUN:   sh %inputs/exact.sh %hcct-decode %s %t/x || exit 1; done
// In an object that is linked, in one that is loaded before all others, in whole programs beside others.
// RUN: %hcct-cc -O2 -I%inputs -shared -fPIC own.c -o own.so && for level in -O2 "-O2 -flto"; do echo "$level" && \
// RUN:   %hcct-c++ $level "uses$level.o" ./own.so -o s && sh %inputs/exact.sh %hcct-decode %s %t/s && \
// RUN:   %hcct-c++ $level "uses$level.o" -o p && \
// RUN:   env LD_PRELOAD=./own.so HCCT_OPTIONS=mode=cct:output=p.bin ./p && \
// RUN:   %hcct-decode --format=folded --all --no-demangle p.bin | FileCheck --match-full-lines %s || exit 1; done
// By another name; in functions that are not instrumented but call back.
// RUN: for how in -DALIAS -DBACK; do %hcct-cc -O2 $how -I%inputs -c own.c && %hcct-c++ uses-O2.o own.o -o o && \
// RUN:   env CHECKS=OTHER sh %inputs/exact.sh %hcct-decode %s %t/o || exit 1; done
//--- own.c
#include <stddef.h>
#include "e2e.h"
void *__libc_malloc(size_t);
void __libc_free(void *);
#if defined ALIAS || defined BACK
#define malloc take
#define free give
#endif
NOINLINE void *malloc(size_t bytes)
{
    work();
    return __libc_malloc(bytes);
}
NOINLINE void free(void *block)
{
    work();
    __libc_free(block);
}
#undef malloc
#undef free
#ifdef ALIAS
void *malloc(size_t) __attribute__((alias("take")));
void free(void *) __attribute__((alias("give")));
#elif defined BACK
__attribute__((no_profile_instrument_function)) void *malloc(size_t bytes) { return take(bytes); }
__attribute__((no_profile_instrument_function)) void free(void *block) { give(block); }
#endif
//--- uses.cpp
#include <stdio.h>
#include <string.h>
#include <string>
#include "e2e.h"
extern "C" {
NOINLINE int *by_new() { return new int; }
NOINLINE void by_delete(int *number) { delete number; }
NOINLINE void by_delete_array(char *text) { delete[] text; }
NOINLINE char *by_strdup(const char *text) { return strdup(text); }
NOINLINE void by_puts(const char *text) { puts(text); }
NOINLINE void by_append(std::string *text) { text->append("more than what a string holds in itself"); }
NOINLINE void by_reserve(std::string *text) { text->reserve(200); }
}
int main()
{
    for (int i = 0; i < 3; i++)
        by_delete(by_new());
    by_delete_array(by_strdup("text"));
    std::string *text = new std::string;
    by_puts("text");
    by_append(text);
    by_reserve(text);
    return text->size() == 0;
}
// CHECK: main 1
// CHECK-NEXT: main;[_Znwm];malloc 1
// CHECK-NEXT: main;by_append 1
// CHECK-NEXT: main;by_append;[{{_ZNSt7.*append.*}}];malloc 1
// CHECK-NEXT: main;by_delete 3
// CHECK-NEXT: main;by_delete;[_ZdlPvm];free 3
// CHECK-NEXT: main;by_delete_array 1
// CHECK-NEXT: main;by_delete_array;[_ZdaPv];free 1
// CHECK-NEXT: main;by_new 3
// CHECK-NEXT: main;by_new;[_Znwm];malloc 3
// CHECK-NEXT: main;by_puts 1
// CHECK-NEXT: main;by_puts;[puts];malloc 1
// CHECK-NEXT: main;by_reserve 1
// CHECK-NEXT: main;by_reserve;[_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE7reserveEm];free 1
// CHECK-NEXT: main;by_reserve;[_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE7reserveEm];malloc 1
// CHECK-NEXT: main;by_strdup 1
// CHECK-NEXT: main;by_strdup;[strdup];malloc 1
// CHECK-NEXT: malloc 1
// OTHER: main 1
// OTHER-NEXT: main;[_Znwm];take 1
// OTHER-NEXT: main;by_append 1
// OTHER-NEXT: main;by_append;[{{_ZNSt7.*append.*}}];take 1
// OTHER-NEXT: main;by_delete 3
// OTHER-NEXT: main;by_delete;[_ZdlPvm];give 3
// OTHER-NEXT: main;by_delete_array 1
// OTHER-NEXT: main;by_delete_array;[_ZdaPv];give 1
// OTHER-NEXT: main;by_new 3
// OTHER-NEXT: main;by_new;[_Znwm];take 3
// OTHER-NEXT: main;by_puts 1
// OTHER-NEXT: main;by_puts;[puts];take 1
// OTHER-NEXT: main;by_reserve 1
// OTHER-NEXT: main;by_reserve;[_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE7reserveEm];give 1
// OTHER-NEXT: main;by_reserve;[_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE7reserveEm];take 1
// OTHER-NEXT: main;by_strdup 1
// OTHER-NEXT: main;by_strdup;[strdup];take 1
// OTHER-NEXT: take 1
