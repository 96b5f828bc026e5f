/* See algorithm.h. */
#include "lab/stream/algorithm.h"

#include "format/layout.h"
#include "runtime/stream/space_saving_check.h"

static struct hcct_summary *init_space_saving(void *memory, const struct hcct_demand *demand)
{
    return hcct_space_saving_init(memory, demand->capacity);
}

const struct hcct_algorithm hcct_space_saving = {
    .number = HCCT_ALGORITHM_SPACE_SAVING,
    .guarantee = HCCT_GUARANTEE_DETERMINISTIC,
    .bytes = hcct_space_saving_bytes,
    .init = init_space_saving,
    .add = hcct_space_saving_add,
    .entry = hcct_space_saving_entry,
    .places = hcct_space_saving_capacity,
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
