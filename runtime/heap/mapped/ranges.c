/* See ranges.h. Node 0 is none. */
#include "runtime/heap/mapped/ranges.h"

#include <string.h>

#include "runtime/base/key_hash.h"
#include "runtime/base/memory.h"

struct node {
    uintptr_t start, end; /* start == end: the node is free; `low` is the next free one */
    uint32_t context;
    uint32_t low, high;
};

enum { FIRST_ROOM = 256 };
static struct node *nodes;
static uint32_t room, used; /* used: nodes 1 to used were in use */
static uint32_t root, free_node;

/* --- nodes ---------------------------------------------------------------------------------------- */

static bool grow(void)
{
    uint32_t more_room = room ? room + room / 2 : FIRST_ROOM;
    struct node *more = more_room > room ? hcct_memory_map((size_t)more_room * sizeof *more) : NULL;
    if (!more)
        return false;
    if (nodes)
        memcpy(more, nodes, room * sizeof *more);
    hcct_memory_unmap(nodes, room * sizeof *nodes);
    nodes = more;
    room = more_room;
    return true;
}

/* 0 if memory is short. */
static uint32_t new_node(struct hcct_heap_range range)
{
    uint32_t node = free_node;
    if (node)
        free_node = nodes[node].low;
    else if (used + 1 < room || grow())
        node = ++used;
    if (node)
        nodes[node] = (struct node){ range.start, range.end, range.context, 0, 0 };
    return node;
}

static void release(uint32_t node)
{
    nodes[node] = (struct node){ .low = free_node };
    free_node = node;
}

/* --- the treap ------------------------------------------------------------------------------------ */

/* Ranges that start below `at` go to *low, the others to *high. */
static void split(uint32_t tree, uintptr_t at, uint32_t *low, uint32_t *high)
{
    while (tree)
        if (nodes[tree].start < at) {
            *low = tree;
            low = &nodes[tree].high;
            tree = *low;
        } else {
            *high = tree;
            high = &nodes[tree].low;
            tree = *high;
        }
    *low = *high = 0;
}

/* All of `low` is below all of `high`. */
static uint32_t merge(uint32_t low, uint32_t high)
{
    uint32_t tree, *to = &tree;
    while (low && high)
        if (hcct_key_hash(low) > hcct_key_hash(high)) {
            *to = low;
            to = &nodes[low].high;
            low = *to;
        } else {
            *to = high;
            to = &nodes[high].low;
            high = *to;
        }
    *to = low ? low : high;
    return tree;
}

static uint32_t last(uint32_t tree)
{
    while (tree && nodes[tree].high)
        tree = nodes[tree].high;
    return tree;
}

static struct hcct_heap_range range_of(uint32_t node)
{
    return (struct hcct_heap_range){ nodes[node].start, nodes[node].end, nodes[node].context };
}

bool hcct_heap_ranges_add(struct hcct_heap_range range)
{
    uint32_t node = new_node(range), low, high;
    if (!node)
        return false;
    split(root, range.start, &low, &high);
    root = merge(merge(low, node), high);
    return true;
}

/* Cuts the range that begins below `start`, if it reaches that. Returns what is left above `end`, or 0. */
static uint32_t cut_below(uint32_t node, uintptr_t start, uintptr_t end, hcct_heap_range_cut *cut,
                          void *closure)
{
    if (!node || nodes[node].end <= start)
        return 0;
    struct hcct_heap_range whole = range_of(node), above = { end, whole.end, whole.context };
    uint32_t rest = whole.end > end ? new_node(above) : 0;
    nodes[node].end = start;
    cut(&whole, start, whole.end > end && rest ? end : whole.end, closure);
    return rest;
}

void hcct_heap_ranges_cut(uintptr_t start, uintptr_t end, hcct_heap_range_cut *cut, void *closure)
{
    uint32_t low, within, high;
    split(root, start, &low, &within);
    split(within, end, &within, &high);
    uint32_t rest = cut_below(last(low), start, end, cut, closure);
    while (within) {
        uint32_t node = within;
        struct hcct_heap_range whole = range_of(node);
        within = merge(nodes[node].low, nodes[node].high);
        cut(&whole, whole.start, whole.end > end ? end : whole.end, closure);
        if (whole.end > end) {
            nodes[node] = (struct node){ end, whole.end, whole.context, 0, 0 };
            rest = node;
        } else {
            release(node);
        }
    }
    root = merge(merge(low, rest), high);
}

void hcct_heap_ranges_move(const uint32_t *to)
{
    for (uint32_t node = 1; node <= used; node++)
        nodes[node].context = to[nodes[node].context];
}

void hcct_heap_ranges_clear(void)
{
    hcct_memory_unmap(nodes, room * sizeof *nodes);
    hcct_heap_ranges_abandon();
}

void hcct_heap_ranges_abandon(void)
{
    nodes = NULL;
    room = used = root = free_node = 0;
}

/* --- for tests ------------------------------------------------------------------------------------ */

/* Checks the ranges of `tree` from the lowest one on. *end: where the last one ended. */
static bool check(uint32_t tree, uintptr_t *end, size_t *count)
{
    if (!tree)
        return true;
    const struct node *node = &nodes[tree];
    if ((node->low && hcct_key_hash(node->low) > hcct_key_hash(tree)) ||
        (node->high && hcct_key_hash(node->high) > hcct_key_hash(tree)) || !check(node->low, end, count) ||
        node->start < *end || node->start >= node->end)
        return false;
    *end = node->end;
    ++*count;
    return check(node->high, end, count);
}

bool hcct_heap_ranges_check(size_t *count)
{
    uintptr_t end = 0;
    *count = 0;
    return check(root, &end, count);
}
