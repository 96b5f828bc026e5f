/* See algorithm.h. */
#include "lab/stream/algorithm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/layout.h"
#include "runtime/stream/space_saving_check.h"

void *hcct_summary_memory(size_t bytes)
{
    bytes = (bytes + 63) / 64 * 64;
    void *memory = aligned_alloc(64, bytes);
    if (!memory) {
        fputs("hcct-lab: out of memory\n", stderr);
        exit(1);
    }
    return memset(memory, 0, bytes);
}

static struct hcct_summary *open_space_saving(const struct hcct_demand *demand)
{
    void *memory = hcct_summary_memory(hcct_space_saving_bytes(demand->capacity));
    return hcct_space_saving_init(memory, demand->capacity);
}

static void close_space_saving(struct hcct_summary *summary)
{
    free(summary);
}

static size_t bytes_of_space_saving(const struct hcct_summary *summary)
{
    return hcct_space_saving_bytes(hcct_space_saving_capacity(summary));
}

const struct hcct_algorithm hcct_space_saving = {
    .number = HCCT_ALGORITHM_SPACE_SAVING,
    .guarantee = HCCT_GUARANTEE_DETERMINISTIC,
    .open = open_space_saving,
    .close = close_space_saving,
    .bytes = bytes_of_space_saving,
    .add = hcct_space_saving_add,
    .entry = hcct_space_saving_entry,
    .size = hcct_space_saving_size,
    .total = hcct_space_saving_total,
    .floor = hcct_space_saving_floor,
    .check = hcct_space_saving_check,
};

const struct hcct_algorithm *const hcct_algorithms[] = { &hcct_space_saving,
                                                         &hcct_space_saving_bucket,
                                                         &hcct_space_saving_lazy,
                                                         &hcct_lossy_counting,
                                                         &hcct_sticky_sampling,
                                                         &hcct_frequent_items,
                                                         NULL };

const struct hcct_algorithm *hcct_algorithm_of(uint32_t number)
{
    for (const struct hcct_algorithm *const *at = hcct_algorithms; *at; at++)
        if ((*at)->number == number)
            return *at;
    return NULL;
}
