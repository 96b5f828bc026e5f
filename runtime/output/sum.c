/* See sum.h. */
#include "runtime/output/sum.h"

#include "runtime/base/key_hash.h"
#include "runtime/base/memory.h"
#include "runtime/core/tables.h"
#include "runtime/output/image.h"
#include "runtime/stream/space_saving_layout.h"

static struct hcct_entry *probe(const struct hcct_sum *sum, uint64_t key)
{
    size_t mask = sum->place_count - 1, at = (size_t)hcct_key_hash(key ^ sum->place_count) & mask;
    while (sum->entries[at].key != key && sum->entries[at].key != 0)
        at = (at + 1) & mask;
    return &sum->entries[at];
}

/* Sums are modulo 2^64: what is subtracted here, finish() adds again. */
static void add_phase(struct hcct_sum *sum, const struct hcct_phase *phase)
{
    uint64_t floor = hcct_phases_floor(phase);
    struct hcct_entry entry;
    for (size_t i = 0; hcct_phases_next(phase, &i, &entry); i++) {
        if (entry.count <= floor)
            continue;
        struct hcct_entry *to = probe(sum, entry.key);
        to->key = entry.key;
        to->count += entry.count - floor;
        to->error += entry.error - floor;
        to->node = to->node ? to->node : entry.node;
    }
}

static void finish(struct hcct_sum *sum)
{
    for (size_t i = 0; i < sum->place_count; i++)
        if (sum->entries[i].key) {
            sum->entries[i].count += sum->floor;
            sum->entries[i].error += sum->floor;
        }
}

static bool make(struct hcct_sum *sum, size_t entry_count)
{
    for (sum->place_count = 64; sum->place_count / 4 * 3 < entry_count;)
        sum->place_count *= 2;
    sum->entries = hcct_memory_map(sum->place_count * sizeof *sum->entries);
    sum->number = hcct_memory_map(sum->place_count * sizeof *sum->number);
    return sum->entries && sum->number;
}

bool hcct_sum_open(struct hcct_sum *sum)
{
    const struct hcct_phase *phase;
    size_t entry_count = 0;
    *sum = (struct hcct_sum){ 0 };
    for (uint32_t i = 0; (phase = hcct_phases_at(i)); i++) {
        sum->floor += hcct_phases_floor(phase);
        sum->dropped += phase->exact.dropped;
        entry_count += phase->summary ? hcct_space_saving_size(phase->summary) : phase->exact.size;
    }
    if (!hcct_phases_are_told_apart()) {
        sum->only = hcct_phases_current();
        sum->place_count = sum->only->summary ? hcct_space_saving_size(sum->only->summary) : 0;
        return true;
    }
    if (!make(sum, entry_count))
        return false;
    for (uint32_t i = 0; (phase = hcct_phases_at(i)); i++)
        add_phase(sum, phase);
    finish(sum);
    return true;
}

bool hcct_sum_next(const struct hcct_sum *sum, size_t *place, struct hcct_entry *entry)
{
    if (sum->only && sum->only->summary) { /* without asking for the size each time */
        bool is_there = *place < sum->place_count;
        if (is_there)
            *entry = entry_at(sum->only->summary, (uint32_t)*place);
        return is_there;
    }
    if (sum->only)
        return hcct_phases_next(sum->only, place, entry);
    while (*place < sum->place_count && sum->entries[*place].key == 0)
        ++*place;
    if (*place < sum->place_count)
        *entry = sum->entries[*place];
    return *place < sum->place_count;
}

void hcct_sum_number(struct hcct_sum *sum, size_t place, uint32_t number)
{
    if (sum->number)
        sum->number[place] = number;
}

void hcct_sum_close(struct hcct_sum *sum)
{
    hcct_memory_unmap(sum->entries, sum->place_count * sizeof *sum->entries);
    hcct_memory_unmap(sum->number, sum->place_count * sizeof *sum->number);
    *sum = (struct hcct_sum){ 0 };
}

uint32_t hcct_sum_index(const struct hcct_sum *sum, uint64_t key)
{
    return sum->number[probe(sum, key) - sum->entries];
}
