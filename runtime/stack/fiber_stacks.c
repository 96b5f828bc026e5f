/* See fiber_stacks.h. */
#include "runtime/stack/fiber_stacks.h"

#include "hcct/abi.h"
#include "runtime/base/memory.h"

/* At its start; the stacks begin one page further on. */
struct hcct_fiber_region {
    size_t bytes, used; /* with this page */
    size_t stacks;      /* those not given back */
};

static struct hcct_fiber_region *newest;

/* How many stacks a new region has room for: a quarter of what there are, so that a program with few fibers
 * does not reserve much. */
static size_t stacks_of_region(size_t bytes, size_t fibers)
{
    enum { PARTS = 4, MOST_BYTES = 64 << 20 };
    size_t most = MOST_BYTES / bytes, stacks = fibers / PARTS;
    stacks = stacks < most ? stacks : most;
    return stacks ? stacks : 1;
}

static struct hcct_fiber_region *make_region(size_t bytes_of_stacks)
{
    size_t bytes = HCCT_STACK_PAGE_BYTES + bytes_of_stacks;
    struct hcct_fiber_region *region = hcct_memory_reserve(bytes);
    if (region)
        *region = (struct hcct_fiber_region){ .bytes = bytes, .used = HCCT_STACK_PAGE_BYTES };
    return region;
}

void *hcct_fiber_stacks_take(size_t bytes, size_t fibers, struct hcct_fiber_region **region)
{
    if (!newest || newest->bytes - newest->used < bytes) {
        struct hcct_fiber_region *made = make_region(bytes * stacks_of_region(bytes, fibers));
        made = made ? made : make_region(bytes);
        if (!made)
            return NULL;
        newest = made;
    }
    void *stack = (char *)newest + newest->used;
    newest->used += bytes;
    newest->stacks++;
    *region = newest;
    return stack;
}

void hcct_fiber_stacks_give(void *stack, size_t bytes, struct hcct_fiber_region *region)
{
    hcct_memory_empty(stack, bytes);
    if (--region->stacks)
        return;
    if (region == newest)
        newest = NULL;
    hcct_memory_release(region, region->bytes);
}
