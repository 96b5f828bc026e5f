/* How well (stack height, function) tells contexts apart (Mytkowicz, Coughlin, Diwan, "Inferred Call Path
 * Profiling", OOPSLA 2009, figure 2): a library for programs that were compiled with HCCT_SHADOW=1, which
 * call it at each entry, call and return.
 *
 * Like the shadow oracle (test/oracle/shadow.c) it keeps an explicit stack and an explicit tree, and besides
 * each context's heights: the bytes between the first frame that was seen and the stack pointer of the
 * function, behind its prologue. That is the height at its entry plus a constant of the function, so as good
 * in a pair. A context that was met at several heights (of the caller's alloca, say) has as many pairs.
 *
 * At exit it writes one JSON object to the file that HCCT_SHADOW_FILE names. One thread only. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "hcct/abi.h"

/* A context at one height. The first one of a context stands for it as a parent. */
struct node {
    const struct hcct_function *function;
    uint64_t site, height, count;
    struct node *parent, *next, *first;
};

struct frame {
    struct node *context;
    uint64_t site;
    bool left; /* by a tail call: goes when its callee does */
};

enum { CHAINS = 1 << 20 };

static struct node *chains[CHAINS];
static uint64_t node_count, context_count;
static struct frame *stack;
static uint64_t depth, capacity, bottom;

static void *need(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static struct node *find(struct node *parent, uint64_t site, const struct hcct_function *function,
                         uint64_t height)
{
    uint64_t hash = ((uintptr_t)parent * 31 + site) * 31 +
                    (uintptr_t)function; /* without the height: all of a context are in one chain */
    struct node **chain = &chains[(hash * 0x9e3779b97f4a7c15u) >> 44], *first = NULL;
    for (struct node *node = *chain; node; node = node->next)
        if (node->parent == parent && node->site == site && node->function == function) {
            if (node->height == height)
                return node;
            first = node->first;
        }
    struct node *node = need(calloc(1, sizeof *node));
    *node = (struct node){ function, site, height, 0, parent, *chain, first ? first : node };
    context_count += !first;
    node_count++;
    return *chain = node;
}

__attribute__((noinline)) uint64_t hcct_shadow_enter(const struct hcct_function *function)
{
    uint64_t pointer = (uintptr_t)__builtin_frame_address(0);
    if (depth == capacity) {
        capacity = capacity ? 2 * capacity : 1024;
        stack = need(realloc(stack, capacity * sizeof *stack));
    }
    if (!bottom)
        bottom = pointer;
    struct frame *caller = depth ? &stack[depth - 1] : NULL;
    struct node *node =
        find(caller ? caller->context : NULL, caller ? caller->site : 0, function, bottom - pointer);
    node->count++;
    stack[depth] = (struct frame){ node->first, 0, false };
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

static int by_pair(const void *a, const void *b)
{
    const struct node *x = *(struct node *const *)a, *y = *(struct node *const *)b;
    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    return (x->height > y->height) - (x->height < y->height);
}

/* Each context has one node for each of its pairs, so the nodes of a pair are its contexts. */
static void dump(void)
{
    const char *name = getenv("HCCT_SHADOW_FILE");
    FILE *file = name ? fopen(name, "w") : NULL;
    if (!file)
        return;
    struct node **all = need(malloc((node_count + 1) * sizeof *all));
    uint64_t count = 0, pairs = 0, precise[6] = { 0 }, calls = 0, precise_calls[6] = { 0 };
    for (size_t chain = 0; chain < CHAINS; chain++)
        for (struct node *node = chains[chain]; node; node = node->next)
            all[count++] = node;
    qsort(all, count, sizeof *all, by_pair);
    for (uint64_t i = 0, end; i < count; i = end) {
        uint64_t of_pair = 0;
        for (end = i; end < count && !by_pair(&all[i], &all[end]); end++)
            of_pair += all[end]->count;
        pairs++;
        calls += of_pair;
        for (uint64_t n = end - i; n <= 5; n++) {
            precise[n]++;
            precise_calls[n] += of_pair;
        }
    }
    fprintf(file,
            "{\"calls\": %llu, \"contexts\": %llu, \"pairs\": %llu, \"unique\": %llu, \"precise_5\": %llu, "
            "\"unique_calls\": %llu, "
            "\"precise_5_calls\": %llu}\n",
            (unsigned long long)calls, (unsigned long long)context_count, (unsigned long long)pairs,
            (unsigned long long)precise[1], (unsigned long long)precise[5],
            (unsigned long long)precise_calls[1], (unsigned long long)precise_calls[5]);
    fclose(file);
}

/* As early as the runtime's, so that it runs as late. */
static void start(void)
{
    atexit(dump);
}

__attribute__((section(".preinit_array"), used)) static void (*const preinit)(void) = start;
