/* See functions.h. */
#include "runtime/count/functions.h"

#include <string.h>

#include "runtime/base/memory.h"
#include "runtime/core/meter.h"
#include "runtime/core/parts.h"
#include "runtime/core/tables.h"
#include "runtime/objects/numbering.h"
#include "runtime/objects/record.h"

/* Keys that follow each other in a batch are often of one function: each adds to a lane of its own, or it
 * would wait for the one before it. */
enum { LANES = 4 };

/* By place; the last one is of all functions without one. `size` is a power of two, and more than there are
 * places. */
static struct numbers {
    uint64_t (*of)[LANES];
    uint32_t size;
} numbers_of[HCCT_PARTS_ALL + 1];
static bool lacks_memory; /* some calls were not added: nothing is known */

static size_t bytes_of(uint32_t size)
{
    return size * sizeof *numbers_of[0].of;
}

/* Makes room for the places that there are now. Functions that dlopen brings come later. */
static __attribute__((noinline, cold)) bool grow(struct numbers *numbers, uint32_t places)
{
    enum { FIRST = 512 };
    uint32_t size = numbers->size ? numbers->size : FIRST, old = numbers->size;
    while (size <= places && size < HCCT_FUNCTION_PLACES)
        size *= 2;
    uint64_t(*of)[LANES] = hcct_memory_reserve(bytes_of(size));
    if (!of) {
        __atomic_store_n(&lacks_memory, true, __ATOMIC_RELAXED);
        return false;
    }
    if (old)
        memcpy(of, numbers->of, bytes_of(old - 1));
    hcct_memory_release(numbers->of, bytes_of(old));
    *numbers = (struct numbers){ of, size };
    return true;
}

void hcct_functions_add_each(unsigned part, const uint32_t *places, uint32_t count, uint64_t calls)
{
    struct numbers *numbers = &numbers_of[part];
    uint32_t there_are = hcct_numbering_places();
    if (!count || (__builtin_expect(numbers->size <= there_are && numbers->size < HCCT_FUNCTION_PLACES, 0) &&
                   !grow(numbers, there_are)))
        return;
    uint64_t(*at)[LANES] = numbers->of;
    uint32_t mask = numbers->size - 1;
#pragma clang loop unroll_count(2 * LANES)
    for (uint32_t i = 0; i < count; i++)
        at[places[i] & mask][i % LANES] += calls;
}

void hcct_functions_add(uint32_t place, uint64_t calls)
{
    hcct_functions_add_each(HCCT_PARTS_ALL, &place, 1, calls);
}

bool hcct_functions_are_known(void)
{
    bool were_added = false;
    for (unsigned part = 0; part <= HCCT_PARTS_ALL; part++)
        were_added |= numbers_of[part].size != 0;
    return were_added && !lacks_memory && hcct_tables.summary && hcct_meter_is_plain();
}

uint64_t hcct_functions_calls(uint32_t place)
{
    uint64_t sum = 0;
    bool is_known = place < HCCT_FUNCTION_PLACES - 1 && hcct_functions_are_known();
    for (unsigned part = 0; is_known && part <= HCCT_PARTS_ALL; part++)
        for (int lane = 0; place + 1 < numbers_of[part].size && lane < LANES; lane++)
            sum += numbers_of[part].of[place][lane];
    return sum;
}

void hcct_functions_reset(void)
{
    lacks_memory = false;
    for (unsigned part = 0; part <= HCCT_PARTS_ALL; part++)
        if (numbers_of[part].size)
            hcct_memory_empty(numbers_of[part].of, bytes_of(numbers_of[part].size));
}
