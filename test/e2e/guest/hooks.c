// Hooks that other instrumentation calls are left alone, wherever it calls them, and what they call takes no word that is not meant for it:
// all contexts of the program are exact, and the hooks' own callees stand below the newest push, or are roots.
// REQUIRES: turn-4, !target-aarch64
// At -O0 the call through a pointer pushes. Not here: -flto by LLVM 16, which has put the calls of hooks in before the link instruments: they are
// called as any other function (CALLED).
// RUN: for level in -O0 -O2 %if !clang-16 %{ "-O2 -flto" %}; do checks=CHECK; [ "$level" != -O0 ] || checks=UNOPTIMIZED; for hooks in "-DCYG -finstrument-functions-after-inlining" \
// RUN:   "-DMCOUNT -pg" "-DFENTRY -pg -mfentry" "-DXRAY -fxray-instrument -fxray-instruction-threshold=1"; do \
// RUN:   %hcct-cc $level $hooks -I%inputs %s -o %t.x && CHECKS=$checks sh %inputs/exact.sh %hcct-decode %s %t.x || exit 1; done; done
// RUN: for level in -O0 -O2; do %hcct-cc $level -DCOVERAGE -fsanitize-coverage=trace-pc-guard,pc-table -I%inputs %s -o %t.x && \
// RUN:   sh %inputs/exact.sh %hcct-decode %s %t.x || exit 1; done
// A hook that a function calls as any other one is a frame without a count.
// RUN: %hcct-cc -O2 -DCYG -DCALLED -finstrument-functions-after-inlining -I%inputs %s -o %t.c && env CHECKS=CALLED sh %inputs/exact.sh %hcct-decode %s %t.c
#include <stdint.h>

#include "e2e.h"

#define HOOK __attribute__((noinline, no_instrument_function, no_sanitize("coverage"), xray_never_instrument))

static volatile int entered;

HOOK void note(void)
{
    entered = entered + 1;
}

#if CYG
HOOK void __cyg_profile_func_enter(void *function, void *caller);
HOOK void __cyg_profile_func_exit(void *function, void *caller);

void __cyg_profile_func_enter(void *function, void *caller)
{
    note();
    (void)function, (void)caller;
}

void __cyg_profile_func_exit(void *function, void *caller)
{
    note();
    (void)function, (void)caller;
}
#elif COVERAGE
void __sanitizer_cov_trace_pc_guard(uint32_t *guard);
void __sanitizer_cov_trace_pc_guard_init(uint32_t *first, uint32_t *last);
void __sanitizer_cov_pcs_init(const uintptr_t *first, const uintptr_t *last);

HOOK void __sanitizer_cov_trace_pc_guard(uint32_t *guard)
{
    static int at_most;
    for (; guard && at_most < 16; at_most++)
        note();
}

HOOK void __sanitizer_cov_trace_pc_guard_init(uint32_t *first, uint32_t *last)
{
    (void)first, (void)last;
}

HOOK void __sanitizer_cov_pcs_init(const uintptr_t *first, const uintptr_t *last)
{
    (void)first, (void)last;
}
#elif MCOUNT
HOOK void mcount(void);

void mcount(void)
{
    note();
    note();
}
#elif FENTRY
HOOK void __fentry__(void);

void __fentry__(void)
{
    note();
    note();
}
#else
int __xray_set_handler(void (*handler)(int32_t, int));
int __xray_patch(void);
int __xray_unpatch(void);

HOOK static void handle(int32_t id, int kind)
{
    (void)id, (void)kind;
    note();
}
#endif

static NOINLINE void leaf(void)
{
    work();
}

NOINLINE void middle(void)
{
    leaf();
    leaf();
}

NOINLINE void pointed_to(void)
{
    middle();
}

static void (*volatile pointer)(void) = pointed_to;

HOOK int main(void)
{
#if XRAY
    __xray_set_handler(handle);
    __xray_patch();
#endif
    middle();
    pointer();
    leaf();
#if CALLED
    __cyg_profile_func_enter(0, 0);
    return 0;
#endif
#if XRAY
    __xray_unpatch();
#endif
    return entered == 16 ? 0 : 1;
}
// CHECK: main 1
// CHECK-NEXT: main;leaf 1
// CHECK-NEXT: main;middle 1
// CHECK-NEXT: main;middle;leaf 2
// CHECK-NEXT: main;pointed_to 1
// CHECK-NEXT: main;pointed_to;middle 1
// CHECK-NEXT: main;pointed_to;middle;leaf 2
// CHECK-NEXT: note 16
// UNOPTIMIZED: main 1
// UNOPTIMIZED-NEXT: main;leaf 1
// UNOPTIMIZED-NEXT: main;middle 1
// UNOPTIMIZED-NEXT: main;middle;leaf 2
// UNOPTIMIZED-NEXT: main;note 8
// UNOPTIMIZED-NEXT: main;pointed_to 1
// UNOPTIMIZED-NEXT: main;pointed_to;middle 1
// UNOPTIMIZED-NEXT: main;pointed_to;middle;leaf 2
// UNOPTIMIZED-NEXT: note 8
// CALLED: main 1
// CALLED-NEXT: main;[__cyg_profile_func_enter];note 1
// CALLED-NEXT: main;leaf 1
// CALLED-NEXT: main;middle 1
// CALLED-NEXT: main;middle;leaf 2
// CALLED-NEXT: main;pointed_to 1
// CALLED-NEXT: main;pointed_to;middle 1
// CALLED-NEXT: main;pointed_to;middle;leaf 2
// CALLED-NEXT: note 16
