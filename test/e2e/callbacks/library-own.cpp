// A program's own operator new, and members of std::string that it has its own copies of, as C++20 has it: what the library calls of them
// hangs below the function that called the library.
// REQUIRES: turn-4
// RUN: split-file %s %t && cd %t
// RUN: for level in -O0 -O2 "-O2 -flto"; do echo "$level" && %hcct-c++ -std=c++17 -fsized-deallocation $level -I%inputs -c uses.cpp -o "uses$level.o" && \
// RUN:   %hcct-c++ -std=c++17 -fsized-deallocation $level -I%inputs own.cpp "uses$level.o" -o x && sh %inputs/exact.sh %hcct-decode %s %t/x && \
// RUN:   %hcct-c++ -std=c++17 -fsized-deallocation $level -I%inputs -shared -fPIC own.cpp -o own.so && %hcct-c++ $level "uses$level.o" ./own.so -o s && \
// RUN:   sh %inputs/exact.sh %hcct-decode %s %t/s || exit 1; done
// In an object that brings the C++ library with it when it is loaded.
// RUN: %hcct-c++ -std=c++17 -fsized-deallocation -O2 -DLOADED -I%inputs -shared -fPIC own.cpp uses.cpp -o loaded.so && %hcct-cc -O2 host.c -ldl -o host && \
// RUN:   sh %inputs/exact.sh %hcct-decode %s %t/host
// RUN: for level in -O0 -O2; do %hcct-c++ -std=c++20 -fsized-deallocation $level -fno-inline -I%inputs -c copies.cpp && \
// RUN:   %hcct-c++ copies.o uses$level.o -o c && HCCT_OPTIONS=mode=cct:output=c.bin ./c && \
// RUN:   %hcct-decode --format=folded --all --no-demangle c.bin | FileCheck --check-prefix=COPIES %s || exit 1; done
//--- own.cpp
#include <stdlib.h>
#include <new>
#include "e2e.h"
NOINLINE void *operator new(size_t bytes) { work(); return malloc(bytes); }
NOINLINE void operator delete(void *block) noexcept { work(); free(block); }
NOINLINE void operator delete(void *block, size_t) noexcept { work(); free(block); }
extern "C" NOINLINE int links() { work(); return 1; }
//--- copies.cpp
#include <string>
#include "e2e.h"
extern "C" NOINLINE int links() { work(); return 1; }
struct every {
    std::string text;
    void all(const char *what, size_t n) { text.append(what, n); text.insert(0, what, n); text.resize(n, ' '); text.reserve(n); }
};
void (every::*volatile member)(const char *, size_t) = &every::all;
//--- uses.cpp
#include <string>
#include "e2e.h"
extern "C" {
int links();
NOINLINE int *by_new() { return new int; }
NOINLINE void by_delete(int *number) { delete number; }
NOINLINE void by_append(std::string *text) { text->append("more than what a string holds in itself"); }
NOINLINE void by_insert(std::string *text) { text->insert(0, "more than what a string holds in itself"); }
static char place[2][sizeof(std::string)];
NOINLINE int run()
{
    by_delete(by_new());
    std::string *one = new (place[0]) std::string, *two = new (place[1]) std::string;
    by_append(one);
    by_insert(two);
    return !links();
}
}
#ifndef LOADED
int main()
{
    int result = run();
    work();
    return result;
}
#endif
//--- host.c
#include <dlfcn.h>
int main(void)
{
    int (*run)(void) = dlsym(dlopen("./loaded.so", RTLD_NOW), "run");
    return run();
}
// CHECK: main 1
// CHECK-NEXT: main;run 1
// CHECK-NEXT: main;run;by_append 1
// CHECK-NEXT: main;run;by_append;[_ZNSt7{{[^;]*append[^;]*}}];_Znwm 1
// CHECK-NEXT: main;run;by_delete 1
// CHECK-NEXT: main;run;by_delete;_ZdlPvm 1
// CHECK-NEXT: main;run;by_insert 1
// CHECK-NEXT: main;run;by_insert;[_ZNSt7{{[^;]*(insert|_M_replace)[^;]*}}];_Znwm 1
// CHECK-NEXT: main;run;by_new 1
// CHECK-NEXT: main;run;by_new;_Znwm 1
// CHECK-NEXT: main;run;links 1
// COPIES-NOT: {{^(main;)?(run;)?_ZN.*_M_mutate}}
// COPIES: {{^}}main;run;by_append;{{.*}}_M_appendEPKcm;{{[^;]*}}_M_mutateEmmPKcm 1
// COPIES-NOT: {{^(main;)?(run;)?_ZN.*_M_mutate}}
// COPIES: {{^}}main;run;by_insert;{{.*}}_M_replaceEmmPKcm;{{[^;]*}}_M_mutateEmmPKcm 1
// COPIES-NOT: {{^(main;)?(run;)?_ZN.*_M_mutate}}
