// Stacks switched by Boost.Context are fibers: each begins at a root, and no callers are lost, not behind ontop_fcontext either.
// REQUIRES: !target-aarch64
// RUN: mkdir -p %t.d && %clang -x assembler -c %inputs/fcontext.s -o %t.o && rm -f %t.d/libboost_context.a && ar rcs %t.d/libboost_context.a %t.o
// RUN: %clang -shared %t.o -o %t.d/libboost_context.so
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 -L%t.d -lboost_context -Wl,-rpath,%t.d && sh %inputs/exact.sh %hcct-decode %s %t.2
// The library's switches in another library are seen, too, as Boost.Fiber's are.
// RUN: %clang -shared -fPIC -DLIBRARY -I%inputs %s -o %t.d/libboost_fiber.so -L%t.d -lboost_context -Wl,-rpath,%t.d
// RUN: %hcct-cc -O2 -DTHROUGH -I%inputs %s -o %t.3 -L%t.d -lboost_fiber -Wl,-rpath,%t.d && sh %inputs/exact.sh %hcct-decode %s %t.3
// RUN: %hcct-cc -O0 -static -I%inputs %s -o %t.0 %t.d/libboost_context.a && sh %inputs/exact.sh %hcct-decode %s %t.0
#include <stddef.h>
#include <stdlib.h>

#include "e2e.h"

enum { BYTES = 1 << 16, LOOPS = 100 };

struct transfer {
    void *from, *data;
};

void *make_fcontext(void *end, size_t bytes, void (*function)(struct transfer));
struct transfer jump_fcontext(void *to, void *data);
struct transfer ontop_fcontext(void *to, void *data, struct transfer (*function)(struct transfer));

#ifdef LIBRARY
void *far_make_fcontext(void *end, size_t bytes, void (*function)(struct transfer))
{
    return make_fcontext(end, bytes, function);
}

struct transfer far_jump_fcontext(void *to, void *data)
{
    return jump_fcontext(to, data);
}

struct transfer far_ontop_fcontext(void *to, void *data, struct transfer (*function)(struct transfer))
{
    return ontop_fcontext(to, data, function);
}
#else

#ifdef THROUGH
#define make_fcontext far_make_fcontext
#define jump_fcontext far_jump_fcontext
#define ontop_fcontext far_ontop_fcontext
void *make_fcontext(void *end, size_t bytes, void (*function)(struct transfer));
struct transfer jump_fcontext(void *to, void *data);
struct transfer ontop_fcontext(void *to, void *data, struct transfer (*function)(struct transfer));
#endif

static NOINLINE void leaf(void)
{
    work();
}

static void (*volatile call)(void) = leaf;

static NOINLINE struct transfer on_top(struct transfer given)
{
    call();
    work();
    return given;
}

static NOINLINE void *yield(void *to)
{
    to = jump_fcontext(to, NULL).from;
    call();
    return to;
}

static NOINLINE void body(struct transfer given)
{
    for (;;) {
        call();
        given.from = yield(given.from);
    }
}

static NOINLINE void run(void)
{
    char *stack = malloc(BYTES);
    void *away = make_fcontext(stack + BYTES, BYTES, body);
    for (int i = 0; i < LOOPS; i++) {
        away = jump_fcontext(away, NULL).from;
        call();
        away = ontop_fcontext(away, NULL, on_top).from;
        call();
    }
    free(stack);
}

int main(void)
{
    run();
    run(); /* in the same memory, perhaps */
    return 0;
}
#endif
// CHECK-DAG: main 1
// CHECK-DAG: main;run 2
// CHECK-DAG: main;run;leaf 400
// CHECK-DAG: body 2
// CHECK-DAG: body;leaf 400
// CHECK-DAG: body;yield 400
// CHECK-DAG: body;yield;leaf 398
// CHECK-DAG: body;yield;[{{(far_)?}}jump_fcontext];on_top 200
// CHECK-DAG: body;yield;[{{(far_)?}}jump_fcontext];on_top;leaf 200
