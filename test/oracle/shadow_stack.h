/* The explicit stack of code that was compiled with HCCT_SHADOW=1 (pass/emit/shadow.c), for libraries that
 * keep something of their own for each activation: `context`. They define hcct_shadow_enter, which asks for
 * the caller's frame and pushes the function's. Include this in one file of a library. Each thread has a
 * stack.
 *
 * Each activation knows its depth, so what a jump or an exception left is dropped by the next call. A frame
 * that a tail call left goes when its callee does; of a callee that has no hooks nobody tells when, but then
 * another function is entered where only the callee could be. */
#ifndef HCCT_ORACLE_SHADOW_STACK_H
#define HCCT_ORACLE_SHADOW_STACK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct shadow_frame {
    void *context;
    uint64_t site;      /* of the call that is under way */
    bool left;          /* by a tail call */
    bool is_tail;       /* the call is in tail position, whether it left or not */
    uint64_t sp;        /* of a tail call: the stack pointer at its callee's entry */
    const void *callee; /* of a tail call; NULL: not known when it was compiled */
};

static _Thread_local struct shadow_frame *stack;
static _Thread_local uint64_t depth, capacity;

/* NULL: the thread's first function. */
static inline const struct shadow_frame *shadow_caller(void)
{
    return depth ? &stack[depth - 1] : NULL;
}

/* Returns what hcct_shadow_enter returns. */
static inline uint64_t shadow_push(void *context)
{
    if (depth == capacity) {
        capacity = capacity ? 2 * capacity : 1024;
        stack = realloc(stack, capacity * sizeof *stack);
        if (!stack)
            abort();
    }
    stack[depth] = (struct shadow_frame){ .context = context };
    return depth++;
}

void hcct_shadow_call(uint64_t at, uint64_t site)
{
    stack[at].site = site;
    stack[at].left = stack[at].is_tail = false;
    depth = at + 1;
}

void hcct_shadow_tail(uint64_t at, uint64_t site, uint64_t sp, const void *callee)
{
    stack[at] = (struct shadow_frame){
        .context = stack[at].context, .site = site, .left = true, .is_tail = true, .sp = sp, .callee = callee
    };
    depth = at + 1;
}

void hcct_shadow_stay(uint64_t at)
{
    stack[at].left = false;
}

void hcct_shadow_return(uint64_t at)
{
    stack[at].site = 0;
    depth = at + 1;
}

void hcct_shadow_leave(uint64_t at)
{
    while (at && stack[at - 1].left)
        at--;
    depth = at;
}

/* When `self` is entered, before shadow_caller(). */
static inline void shadow_drop_ended(uint64_t sp, const void *self)
{
    const struct shadow_frame *top = shadow_caller();
    if (top && top->left && top->callee && top->callee != self && top->sp == sp)
        hcct_shadow_leave(depth - 1);
}

#endif
