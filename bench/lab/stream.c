/* Records the stream of calling contexts: a library for programs that were compiled with HCCT_SHADOW=1, which
 * call it at each entry, call and return. Contexts are numbered from 1 in the order of their first calls.
 *
 * The file that HCCT_SHADOW_FILE names gets the number of each call's context, 32 bits each, for as many
 * calls as HCCT_STREAM_CALLS says. Then the program ends: what it would print later is not needed. One thread
 * only.
 *
 * The stack and the tree are those of heights.c, without heights. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "hcct/abi.h"

struct node {
    const struct hcct_function *function;
    uint64_t site;
    const struct node *parent;
    struct node *next;
    uint32_t number;
};

struct frame {
    struct node *context;
    uint64_t site;
    bool left; /* by a tail call: goes when its callee does */
};

enum { CHAINS = 1 << 22 };

static struct node *chains[CHAINS];
static uint32_t node_count;
static struct frame *stack;
static uint64_t depth, capacity, calls_left;
static FILE *file;

static void *need(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static struct node *find(const struct node *parent, uint64_t site, const struct hcct_function *function)
{
    uint64_t hash = ((uintptr_t)parent * 31 + site) * 31 + (uintptr_t)function;
    struct node **chain = &chains[(hash * 0x9e3779b97f4a7c15u) >> 42];
    for (struct node *node = *chain; node; node = node->next)
        if (node->parent == parent && node->site == site && node->function == function)
            return node;
    struct node *node = need(malloc(sizeof *node));
    *node = (struct node){ function, site, parent, *chain, ++node_count };
    return *chain = node;
}

static void end(void)
{
    if (file && fclose(file))
        abort();
    file = NULL;
}

static void start(void)
{
    const char *name = getenv("HCCT_SHADOW_FILE"), *calls = getenv("HCCT_STREAM_CALLS");
    file = name ? fopen(name, "w") : NULL;
    calls_left = calls ? strtoull(calls, NULL, 10) : UINT64_MAX;
    atexit(end);
}

uint64_t hcct_shadow_enter(const struct hcct_function *function)
{
    if (!node_count)
        start();
    if (depth == capacity) {
        capacity = capacity ? 2 * capacity : 1024;
        stack = need(realloc(stack, capacity * sizeof *stack));
    }
    struct frame *caller = depth ? &stack[depth - 1] : NULL;
    struct node *node = find(caller ? caller->context : NULL, caller ? caller->site : 0, function);
    if (file && fwrite(&node->number, sizeof node->number, 1, file) != 1)
        abort();
    if (file && !--calls_left) {
        end();
        _Exit(0);
    }
    stack[depth] = (struct frame){ node, 0, false };
    return depth++;
}

void hcct_shadow_call(uint64_t at, uint64_t site)
{
    stack[at].site = site;
    depth = at + 1;
}

void hcct_shadow_tail(uint64_t at, uint64_t site)
{
    hcct_shadow_call(at, site);
    stack[at].left = true;
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
