/* See functions.h. */
#include "runtime/count/functions.h"

#include "runtime/base/memory.h"
#include "runtime/core/meter.h"
#include "runtime/core/parts.h"
#include "runtime/core/tables.h"
#include "runtime/objects/record.h"

/* Keys that follow each other in a batch are often of one function: each adds to a lane of its own, or it
 * would wait for the one before it. */
enum { LANES = 4 };

/* By place; the last is of all functions without one. NULL: memory was short, or nothing was added yet. */
static uint64_t (*calls_of[HCCT_PARTS_ALL + 1])[LANES];

enum { BYTES = HCCT_FUNCTION_PLACES * sizeof *calls_of[0] };

void hcct_functions_add_each(unsigned part, const uint32_t *places, uint32_t count, uint64_t calls)
{
    if (!calls_of[part] && !(calls_of[part] = hcct_memory_reserve(BYTES)))
        return;
    uint64_t(*at)[LANES] = calls_of[part];
#pragma clang loop unroll_count(2 * LANES)
    for (uint32_t i = 0; i < count; i++)
        at[places[i] & (HCCT_FUNCTION_PLACES - 1)][i % LANES] += calls;
}

void hcct_functions_add(uint32_t place, uint64_t calls)
{
    hcct_functions_add_each(HCCT_PARTS_ALL, &place, 1, calls);
}

bool hcct_functions_are_known(void)
{
    bool were_added = false;
    for (unsigned part = 0; part <= HCCT_PARTS_ALL; part++)
        were_added |= calls_of[part] != NULL;
    return were_added && hcct_tables.summary && hcct_meter_is_plain();
}

uint64_t hcct_functions_calls(uint32_t place)
{
    uint64_t sum = 0;
    bool is_known = place < HCCT_FUNCTION_PLACES - 1 && hcct_functions_are_known();
    for (unsigned part = 0; is_known && part <= HCCT_PARTS_ALL; part++)
        for (int lane = 0; calls_of[part] && lane < LANES; lane++)
            sum += calls_of[part][place][lane];
    return sum;
}

void hcct_functions_reset(void)
{
    for (unsigned part = 0; part <= HCCT_PARTS_ALL; part++)
        if (calls_of[part])
            hcct_memory_empty(calls_of[part], BYTES);
}
