/* See functions.h. Threads go on counting: nobody else may set their numbers to zero. So a reset remembers
 * what they were. */
#include "runtime/count/functions.h"

#include "runtime/base/memory.h"
#include "runtime/core/meter.h"
#include "runtime/core/tables.h"
#include "runtime/objects/registry.h"

/* By place. `before` is to be subtracted: what there was at the last reset. NULL: memory is short, or there
 * is none yet. */
static struct {
    uint64_t added[HCCT_FUNCTION_PLACES], in_blocks[HCCT_FUNCTION_PLACES], before[HCCT_FUNCTION_PLACES];
} *all;
static uint32_t collected; /* places in `in_blocks` */

void hcct_functions_add(const struct hcct_block *block, uint32_t place, uint64_t calls)
{
    if (!block->place_mask)
        return;
    if (!all)
        all = hcct_memory_reserve(sizeof *all);
    if (all)
        all->added[place] += calls;
}

/* The places in use. */
static uint32_t count_places(void)
{
    size_t count = 0;
    for (size_t i = 0; i < hcct_registry_object_count(); i++)
        count += (size_t)(hcct_registry_object(i)->stop - hcct_registry_object(i)->start);
    return count < HCCT_FUNCTION_PLACES ? (uint32_t)count : HCCT_FUNCTION_PLACES;
}

static uint64_t in_blocks(uint32_t place)
{
    uint64_t sum = 0;
    for (const struct hcct_block *block = hcct_block_first(); block; block = block->next)
        if (block->place_mask)
            sum += __atomic_load_n(&block->functions[place], __ATOMIC_ACQUIRE);
    return sum;
}

bool hcct_functions_collect(void)
{
    collected = all && hcct_tables.summary && hcct_meter_is_plain() ? count_places() : 0;
    for (uint32_t i = 0; i < collected; i++)
        all->in_blocks[i] = in_blocks(i);
    return collected;
}

uint64_t hcct_functions_calls(uint32_t place)
{
    return place < collected && place < HCCT_FUNCTION_PLACES - 1
               ? all->in_blocks[place] + all->added[place] - all->before[place]
               : 0;
}

void hcct_functions_reset(void)
{
    for (uint32_t i = 0, count = all ? count_places() : 0; i < count; i++)
        all->before[i] = all->added[i] + in_blocks(i);
}
