// Destructors that are found through pointers and end in calls through pointers (`return type->give_back(object);`): plain calls, whose contexts
// are those of the source, also where the callee is not instrumented and calls back.
// RUN: %clang -O2 -c %inputs/library.c -o %t.o
// RUN: %hcct-cc -O0 -I%inputs %s %t.o -o %t.0 && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s %t.o -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
// RUN: %hcct-cc -Os -I%inputs %s %t.o -o %t.s && sh %inputs/exact.sh %hcct-decode %s %t.s
#include <stddef.h>

#include "e2e.h"
#include "library.h"

typedef struct object object;
typedef struct {
    void (*clear)(object *self, int depth);
    void (*give_back)(object *self, void *pool);
    void (*close)(callback *);
} type;
struct object {
    const type *type;
    object *left, *right;
};

static NOINLINE void note(void)
{
    work();
}

static void give_back(object *self, void *pool)
{
    self->type = pool;
    note();
    work();
}

static NOINLINE void drop(object *self)
{
    self->type->clear(self, 1);
}

static NOINLINE void lose(object *self)
{
    self->type->give_back(self, NULL);
}

static void clear_pair(object *self, int depth)
{
    drop(self->left);
    drop(self->right);
    worked += depth - 1;
    lose(self);
}

static void clear_leaf(object *self, int depth)
{
    note();
    worked += depth - 1;
    lose(self);
}

static NOINLINE void finish(const type *of)
{
    of->close(note); /* [call], which is not instrumented */
}

static const type pair_type = { clear_pair, give_back, call }, leaf_type = { clear_leaf, give_back, call };
const type *volatile hidden_pair = &pair_type, *volatile hidden_leaf = &leaf_type;

int main(void)
{
    object leaves[3] = { { hidden_leaf }, { hidden_leaf }, { hidden_leaf } };
    object inner = { hidden_pair, &leaves[0], &leaves[1] }, outer = { hidden_pair, &inner, &leaves[2] };
    drop(&outer);
    finish(hidden_leaf);
    note();
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;drop 1
// CHECK-NEXT: main;drop;clear_pair 1
// CHECK-NEXT: main;drop;clear_pair;drop 2
// CHECK-NEXT: main;drop;clear_pair;drop;clear_leaf 1
// CHECK-NEXT: main;drop;clear_pair;drop;clear_leaf;lose 1
// CHECK-NEXT: main;drop;clear_pair;drop;clear_leaf;lose;give_back 1
// CHECK-NEXT: main;drop;clear_pair;drop;clear_leaf;lose;give_back;note 1
// CHECK-NEXT: main;drop;clear_pair;drop;clear_leaf;note 1
// CHECK-NEXT: main;drop;clear_pair;drop;clear_pair 1
// CHECK-NEXT: main;drop;clear_pair;drop;clear_pair;drop 2
// CHECK-NEXT: main;drop;clear_pair;drop;clear_pair;drop;clear_leaf 2
// CHECK-NEXT: main;drop;clear_pair;drop;clear_pair;drop;clear_leaf;lose 2
// CHECK-NEXT: main;drop;clear_pair;drop;clear_pair;drop;clear_leaf;lose;give_back 2
// CHECK-NEXT: main;drop;clear_pair;drop;clear_pair;drop;clear_leaf;lose;give_back;note 2
// CHECK-NEXT: main;drop;clear_pair;drop;clear_pair;drop;clear_leaf;note 2
// CHECK-NEXT: main;drop;clear_pair;drop;clear_pair;lose 1
// CHECK-NEXT: main;drop;clear_pair;drop;clear_pair;lose;give_back 1
// CHECK-NEXT: main;drop;clear_pair;drop;clear_pair;lose;give_back;note 1
// CHECK-NEXT: main;drop;clear_pair;lose 1
// CHECK-NEXT: main;drop;clear_pair;lose;give_back 1
// CHECK-NEXT: main;drop;clear_pair;lose;give_back;note 1
// CHECK-NEXT: main;finish 1
// CHECK-NEXT: main;finish;note 1
// CHECK-NEXT: main;note 1
