/* The peer: a plain calling context tree behind clang's -finstrument-functions-after-inlining, exact, in
 * unbounded memory.
 *
 * A node has its first child and its next sibling, as in D'Elia, Demetrescu and Finocchi ("Mining hot calling
 * contexts in small space", SPE 2015, section 4.1); children are searched linearly, the one that was found
 * moves to the front. A context is told apart by function and call site, as hcct does by default. Each
 * activation keeps its frame address, so that activations left by longjmp are dropped. Prints nothing, so
 * that output is the same; CCT_STATISTICS=1 tells the size on stderr. Single-threaded. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOOK                                                                                                 \
    __attribute__((no_instrument_function)) /* said again, should someone add the flag for this file */

struct node {
    void *function, *site;
    uint64_t count;
    struct node *first_child, *next_sibling;
};

struct activation {
    char *frame; /* of the activation: greater is older */
    struct node *node;
};

enum { ACTIVATIONS = 1 << 20, NODES = 4096 };

static struct node root;
static struct activation stack[ACTIVATIONS] = { { (char *)UINTPTR_MAX, &root } };
static struct activation *top = stack;
static struct node *pool, *pool_end;
static uint64_t node_count, call_count;

HOOK static __attribute__((noinline)) struct node *add_child(struct node *parent, void *function, void *site)
{
    if (pool == pool_end) {
        pool = malloc(NODES * sizeof *pool);
        if (!pool)
            abort();
        pool_end = pool + NODES;
    }
    struct node *child = pool++;
    *child = (struct node){ function, site, 0, NULL, parent->first_child };
    parent->first_child = child;
    node_count++;
    return child;
}

HOOK static struct node *find_child(struct node *parent, void *function, void *site)
{
    struct node **link = &parent->first_child, *child;
    for (; (child = *link); link = &child->next_sibling)
        if (child->function == function && child->site == site) {
            *link = child->next_sibling;
            child->next_sibling = parent->first_child;
            parent->first_child = child;
            return child;
        }
    return add_child(parent, function, site);
}

HOOK void __cyg_profile_func_enter(void *function, void *site)
{
    char *frame = (char *)__builtin_frame_address(0);
    while (top->frame <= frame)
        top--;
    if (top + 1 == stack + ACTIVATIONS)
        abort();
    struct node *node = find_child(top->node, function, site);
    node->count++;
    *++top = (struct activation){ frame, node };
}

HOOK void __cyg_profile_func_exit(void *function, void *site)
{
    (void)function;
    (void)site;
    char *frame = (char *)__builtin_frame_address(0);
    while (top->frame <= frame)
        top--;
}

HOOK static void count_calls(const struct node *node)
{
    for (const struct node *child = node->first_child; child; child = child->next_sibling) {
        call_count += child->count;
        count_calls(child);
    }
}

HOOK __attribute__((destructor)) static void tell(void)
{
    if (!getenv("CCT_STATISTICS"))
        return;
    count_calls(&root);
    fprintf(stderr, "cct_hook: %llu calls, %llu contexts\n", (unsigned long long)call_count,
            (unsigned long long)node_count);
}
