// Inline assembly that calls an instrumented function, by its name or through a pointer, and in recursion: the call hangs below the function
// that the assembly is in.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
#include "e2e.h"

__attribute__((used)) NOINLINE void leaf(void)
{
    work();
}

#if defined(__x86_64__)
#define CALL(function, ...)                                                                                   \
    __asm__ volatile("lea -256(%%rsp), %%rsp\n\tmov %%rsp, %%rbx\n\tand $-16, %%rsp\n\tcall " function         \
                     "\n\tmov %%rbx, %%rsp\n\tlea 256(%%rsp), %%rsp" ::__VA_ARGS__                           \
                     : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc")
#define NAMED(function) CALL(function "@PLT", )
#define POINTER(pointer) CALL("*%0", "r"(pointer))
#else
#define CALL(code, ...)                                                                                       \
    __asm__ volatile(code ::__VA_ARGS__                                                                       \
                     : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13",  \
                       "x14", "x15", "x16", "x17", "x18", "x30", "memory", "cc")
#define NAMED(function) CALL("bl " function, )
#define POINTER(pointer) CALL("blr %0", "r"(pointer))
#endif

static NOINLINE void by_assembly(void)
{
    NAMED("leaf");
    work();
}

static NOINLINE void by_pointer(void (*function)(void))
{
    POINTER(function);
    leaf();
    work();
}

static volatile int depth = 2;

__attribute__((used)) NOINLINE void recursive(void)
{
    if (depth--)
        NAMED("recursive");
    leaf();
    work();
}

/* The assembly is the last that it does. */
static NOINLINE void ends_with_assembly(void)
{
    NAMED("leaf");
}

int main(void)
{
    by_assembly();
    leaf();
    by_assembly();
    by_pointer(leaf);
    recursive();
    ends_with_assembly();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;by_assembly 2
// CHECK-NEXT: main;by_assembly;leaf 2
// CHECK-NEXT: main;by_pointer 1
// CHECK-NEXT: main;by_pointer;leaf 2
// CHECK-NEXT: main;ends_with_assembly 1
// CHECK-NEXT: main;ends_with_assembly;leaf 1
// CHECK-NEXT: main;leaf 1
// CHECK-NEXT: main;recursive 1
// CHECK-NEXT: main;recursive;leaf 1
// CHECK-NEXT: main;recursive;recursive 1
// CHECK-NEXT: main;recursive;recursive;leaf 1
// CHECK-NEXT: main;recursive;recursive;recursive 1
// CHECK-NEXT: main;recursive;recursive;recursive;leaf 1
