/* How well (stack height, function) tells call paths apart (Mytkowicz, Coughlin, Diwan, "Inferred Call Path
 * Profiling", OOPSLA 2009): a library for programs that were compiled with HCCT_SHADOW=1, which call it at
 * each entry, call and return.
 *
 * By the paper (sections 7 and 8.4, figure 2) a path is a sequence of functions. Its degree of ambiguity is
 * the number of paths that share its pair, itself included; a path of degree 1 is precise, one of at most 5
 * is 5-precise. The same is told of paths of call sites, which are hcct's contexts. A path that was met at
 * several heights has the largest of its degrees.
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

#include "../../test/oracle/shadow_stack.h"
#include "hcct/abi.h"

/* A context at one height. The first one of a context stands for it as a parent. */
struct node {
    const struct hcct_function *function;
    uint64_t site, height, count;
    struct node *parent, *next, *first;
    uint64_t order; /* in which nodes were made: parents come first */
    uint32_t path;  /* of functions: an index of `paths` */
};

/* A path of functions. */
struct path {
    const struct hcct_function *function;
    uint32_t parent, degree;
    uint64_t count;
};

enum { CHAINS = 1 << 20 };

static struct node *chains[CHAINS];
static uint64_t node_count, context_count;
static uint64_t bottom;

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
    *node = (struct node){ function, site, height, 0, parent, *chain, first ? first : node, node_count, 0 };
    context_count += !first;
    node_count++;
    return *chain = node;
}

__attribute__((noinline)) uint64_t hcct_shadow_enter(const struct hcct_function *function)
{
    uint64_t pointer = (uintptr_t)__builtin_frame_address(0);
    if (!bottom)
        bottom = pointer;
    const struct shadow_frame *caller = shadow_caller();
    struct node *node =
        find(caller ? caller->context : NULL, caller ? caller->site : 0, function, bottom - pointer);
    node->count++;
    return shadow_push(node->first);
}

/* --- at the end ------------------------------------------------------------------------------------- */

static struct path *paths;
static uint32_t path_count;

static int by_order(const void *a, const void *b)
{
    const struct node *x = *(struct node *const *)a, *y = *(struct node *const *)b;
    return (x->order > y->order) - (x->order < y->order);
}

/* By pair, then by path. */
static int by_pair(const void *a, const void *b)
{
    const struct node *x = *(struct node *const *)a, *y = *(struct node *const *)b;
    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    if (x->height != y->height)
        return x->height < y->height ? -1 : 1;
    return (x->path > y->path) - (x->path < y->path);
}

/* The path of the function below `parent`, by a table of open addressing. */
static uint32_t find_path(uint32_t *table, uint64_t size, uint32_t parent,
                          const struct hcct_function *function)
{
    uint64_t at = ((parent + (uintptr_t)function) * 0x9e3779b97f4a7c15u >> 20) % size;
    for (; table[at]; at = (at + 1) % size)
        if (paths[table[at]].parent == parent && paths[table[at]].function == function)
            return table[at];
    paths[++path_count] = (struct path){ function, parent, 0, 0 };
    return table[at] = path_count;
}

static void find_paths(struct node **all, uint64_t count)
{
    uint64_t size = 2 * count + 1;
    uint32_t *table = need(calloc(size, sizeof *table));
    paths = need(calloc(count + 1, sizeof *paths));
    qsort(all, count, sizeof *all, by_order);
    for (uint64_t i = 0; i < count; i++) {
        struct node *node = all[i], *parent = node->first->parent;
        node->path = find_path(table, size, parent ? parent->path : 0, node->function);
        paths[node->path].count += node->count;
    }
    free(table);
}

static bool is_one_pair(const struct node *a, const struct node *b)
{
    return a->function == b->function && a->height == b->height;
}

/* The nodes from `from` to `to` have one pair, and each is another context. `degree` has one by order of the
 * contexts' first nodes. */
static void add_degrees(struct node **all, uint64_t from, uint64_t to, uint32_t *degree)
{
    uint32_t different = 0;
    for (uint64_t i = from; i < to; i++)
        different += i == from || all[i]->path != all[i - 1]->path;
    for (uint64_t i = from; i < to; i++) {
        struct path *path = &paths[all[i]->path];
        uint32_t *of_context = &degree[all[i]->first->order];
        path->degree = path->degree > different ? path->degree : different;
        *of_context = *of_context > to - from ? *of_context : (uint32_t)(to - from);
    }
}

static void print_shares(FILE *file, struct node **all, uint64_t count, const uint32_t *degree)
{
    uint64_t calls = 0, precise[2] = { 0 }, precise_5[2] = { 0 }, precise_calls = 0;
    for (uint32_t i = 1; i <= path_count; i++) {
        calls += paths[i].count;
        precise[0] += paths[i].degree == 1;
        precise_5[0] += paths[i].degree <= 5;
        precise_calls += paths[i].degree == 1 ? paths[i].count : 0;
    }
    for (uint64_t i = 0; i < count; i++)
        if (all[i]->first == all[i]) {
            precise[1] += degree[all[i]->order] == 1;
            precise_5[1] += degree[all[i]->order] <= 5;
        }
    fprintf(
        file,
        "{\"calls\": %llu, \"paths\": %llu, \"precise\": %llu, \"precise_5\": %llu, \"precise_calls\": %llu, "
        "\"contexts\": %llu, \"precise_contexts\": %llu, \"precise_5_contexts\": %llu}\n",
        (unsigned long long)calls, (unsigned long long)path_count, (unsigned long long)precise[0],
        (unsigned long long)precise_5[0], (unsigned long long)precise_calls,
        (unsigned long long)context_count, (unsigned long long)precise[1], (unsigned long long)precise_5[1]);
}

static void dump(void)
{
    const char *name = getenv("HCCT_SHADOW_FILE");
    FILE *file = name ? fopen(name, "w") : NULL;
    if (!file)
        return;
    struct node **all = need(malloc((node_count + 1) * sizeof *all));
    uint32_t *degree = need(calloc(node_count + 1, sizeof *degree));
    uint64_t count = 0;
    for (size_t chain = 0; chain < CHAINS; chain++)
        for (struct node *node = chains[chain]; node; node = node->next)
            all[count++] = node;
    find_paths(all, count);
    qsort(all, count, sizeof *all, by_pair);
    for (uint64_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && is_one_pair(all[i], all[end]);)
            end++;
        add_degrees(all, i, end, degree);
    }
    print_shares(file, all, count, degree);
    fclose(file);
}

/* As early as the runtime's, so that it runs as late. */
static void start(void)
{
    atexit(dump);
}

__attribute__((section(".preinit_array"), used)) static void (*const preinit)(void) = start;
