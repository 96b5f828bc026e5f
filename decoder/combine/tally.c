#include "decoder/combine/tally.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/combine/table.h"
#include "decoder/profile/sum.h"
#include "format/error.h"
#include "format/layout.h"

void hcct_tally_next(struct hcct_tally *tally, uint64_t floor)
{
    tally->source++;
    tally->source_floor = floor;
    tally->floor = hcct_sum(tally->floor, floor);
}

static void add(struct hcct_tally_entry *entry, uint64_t count, uint64_t error, uint64_t floor)
{
    entry->count = hcct_sum(entry->count, count);
    entry->error = hcct_sum(entry->error, error);
    entry->floors = hcct_sum(entry->floors, floor);
}

bool hcct_tally_add(struct hcct_tally *tally, uint32_t context, uint64_t count, uint64_t error)
{
    while (tally->capacity <= context) {
        uint32_t before = tally->capacity;
        void *room = hcct_vector_reserve(tally->entries, &tally->capacity, before, sizeof *tally->entries);
        if (!room)
            return false;
        tally->entries = room;
        memset(tally->entries + before, 0, (tally->capacity - before) * sizeof *tally->entries);
    }
    struct hcct_tally_entry *entry = &tally->entries[context];
    add(entry, count, error, entry->last_source == tally->source ? 0 : tally->source_floor);
    entry->last_source = tally->source;
    return true;
}

void hcct_tally_add_earlier(struct hcct_tally *tally, uint32_t context, uint64_t count, uint64_t error,
                            uint64_t floor)
{
    add(&tally->entries[context], count, error, floor);
}

struct hcct_tally_entry hcct_tally_sum(const struct hcct_tally *tally, uint32_t context)
{
    struct hcct_tally_entry sum = tally->entries[context];
    uint64_t lacking = tally->floor > sum.floors ? tally->floor - sum.floors : 0;
    sum.count = hcct_sum(sum.count, lacking);
    sum.error = hcct_sum(sum.error, lacking);
    sum.floors = tally->floor;
    return sum;
}

bool hcct_tally_cut(struct hcct_tally *tally, const uint32_t *order, uint32_t kept_count, uint64_t floor)
{
    struct hcct_tally_entry *kept = calloc((size_t)tally->capacity + 1, sizeof *kept);
    if (!kept)
        return false;
    if (floor < tally->floor)
        floor = tally->floor;
    for (uint32_t i = 0; i < kept_count; i++) {
        kept[i] = hcct_tally_sum(tally, order[i]);
        kept[i].floors = floor;
    }
    free(tally->entries);
    tally->entries = kept;
    tally->floor = floor;
    return true;
}

uint32_t hcct_tally_algorithm(uint32_t a, uint32_t b)
{
    if (a == HCCT_ALGORITHM_EXACT || b == HCCT_ALGORITHM_EXACT)
        return a + b;
    return a == b ? a : HCCT_ALGORITHM_SEVERAL;
}

void hcct_tally_free(struct hcct_tally *tally)
{
    free(tally->entries);
    *tally = (struct hcct_tally){ 0 };
}
