/* See summaries.h. */
#include "runtime/count/summaries.h"

#include <string.h>

#include "runtime/base/memory.h"
#include "runtime/stack/prefix.h"

struct hcct_summary *hcct_summaries[HCCT_PARTS];
uint32_t hcct_summaries_begun;

/* Nodes that wait for the table lock: of a batch, and MANY more. */
enum { MANY = HCCT_BATCH_KEYS, MOST = HCCT_BATCH_KEYS + MANY };
struct waiting {
    uint32_t count;
    hcct_node nodes[MOST];
};
static struct waiting *waiting; /* [HCCT_PARTS]; NULL: there was no memory, so that none can wait */

uint32_t hcct_summaries_most;

static uint32_t capacity; /* of each */
static bool lacks_memory; /* for another one. Parts that have none stay without */

void hcct_summaries_start(uint32_t contexts, uint32_t counters)
{
    size_t fit = hcct_space_saving_bytes(contexts) / hcct_space_saving_bytes(counters),
           room = contexts / counters; /* for a merge */
    fit = fit < room ? fit : room;
    capacity = counters;
    hcct_summaries_most = fit < HCCT_PARTS ? (uint32_t)fit : HCCT_PARTS;
    if (!waiting)
        waiting = hcct_memory_reserve(HCCT_PARTS * sizeof *waiting);
}

/* Makes the summary of a part that is locked. False: there is no memory for it. */
static bool begin_summary(unsigned part)
{
    if (part >= hcct_summaries_most || __atomic_load_n(&lacks_memory, __ATOMIC_RELAXED))
        return false;
    void *memory = hcct_memory_map(hcct_space_saving_bytes(capacity));
    if (!memory) { /* nobody asks the system again */
        __atomic_store_n(&lacks_memory, true, __ATOMIC_RELAXED);
        return false;
    }
    /* pairs with the load in hcct_summaries_total */
    __atomic_store_n(&hcct_summaries[part], hcct_space_saving_init(memory, capacity), __ATOMIC_RELEASE);
    __atomic_fetch_add(&hcct_summaries_begun, 1, __ATOMIC_RELAXED);
    return true;
}

/* Others may change the phase, and with it the first summary. */
static bool are_several(void)
{
    const struct hcct_summary *first = __atomic_load_n(&hcct_tables.summary, __ATOMIC_ACQUIRE);
    return first && hcct_space_saving_floor(first) != 0;
}

bool hcct_summaries_settle(struct hcct_tally *tally)
{
    if (!are_several())
        return true;
    if (hcct_summaries_is_one()) {
        hcct_parts_unlock(tally->part);
        return false;
    }
    if (tally->part && !hcct_summaries[tally->part] && !begin_summary(tally->part)) {
        hcct_parts_unlock(tally->part);
        hcct_parts_lock(tally->part = 0);
    }
    return true;
}

bool hcct_summaries_lock_another(struct hcct_tally *tally)
{
    uint32_t usable = are_several() ? hcct_summaries_most : HCCT_PARTS, part = tally->part % usable,
             next = part;
    if (usable == 1)
        return false;
    do
        next = (next + 1) % usable;
    while (!hcct_parts_try(next) && next != part);
    if (hcct_parts_held == HCCT_PARTS_NONE)
        hcct_parts_lock(next);
    tally->part = next;
    return hcct_summaries_settle(tally);
}

uint64_t hcct_summaries_total_of_several(void)
{
    uint64_t total = hcct_space_saving_total(hcct_tables.summary);
    for (unsigned part = 1; part < HCCT_PARTS; part++) {
        const struct hcct_summary *summary = __atomic_load_n(&hcct_summaries[part], __ATOMIC_ACQUIRE);
        total += summary ? hcct_space_saving_total(summary) : 0;
    }
    return total;
}

void hcct_summaries_release(hcct_node node)
{
    if (hcct_tables_is_held())
        hcct_prefix_release(node);
    else if (node)
        waiting[hcct_parts_held].nodes[waiting[hcct_parts_held].count++] = node;
}

bool hcct_summaries_have_waiting(void)
{
    return hcct_tables.summary && (!waiting || waiting[hcct_parts_held].count >= MANY);
}

void hcct_summaries_release_waiting(void)
{
    for (unsigned part = 0; waiting && part < HCCT_PARTS; part++) {
        for (uint32_t i = 0; i < waiting[part].count; i++)
            hcct_prefix_release(waiting[part].nodes[i]);
        if (waiting[part].count)
            waiting[part].count = 0;
    }
}

void hcct_summaries_give_back(void *memory, size_t bytes)
{
    enum { LARGEST_PAGE = 65536 };
    uintptr_t begin = ((uintptr_t)memory + LARGEST_PAGE - 1) & ~(uintptr_t)(LARGEST_PAGE - 1),
              end = ((uintptr_t)memory + bytes) & ~(uintptr_t)(LARGEST_PAGE - 1);
    if (begin < end)
        hcct_memory_empty((void *)begin, end - begin); /* NOLINT(performance-no-int-to-ptr) */
}

void hcct_summaries_reset(void)
{
    hcct_summaries_release_waiting();
    for (unsigned part = 1; hcct_summaries_begun && part < HCCT_PARTS; part++) {
        struct hcct_summary *summary = hcct_summaries[part];
        if (!summary)
            continue;
        for (uint32_t place = 0; place < hcct_space_saving_size(summary); place++)
            hcct_prefix_release(hcct_space_saving_entry(summary, place).node);
        hcct_space_saving_clear(summary);
        hcct_space_saving_give_unused(summary, hcct_summaries_give_back);
    }
}

bool hcct_summaries_merge(void)
{
    bool merged = false;
    hcct_summaries_release_waiting();
    for (unsigned part = 1; hcct_summaries_begun && part < HCCT_PARTS; part++)
        if (hcct_summaries[part] && hcct_space_saving_size(hcct_summaries[part])) {
            hcct_space_saving_merge(hcct_tables.summary, hcct_summaries[part], hcct_prefix_release);
            merged = true;
        }
    if (merged)
        hcct_space_saving_give_unused(hcct_tables.summary, hcct_summaries_give_back);
    return merged;
}

void hcct_summaries_abandon(void)
{
    memset(hcct_summaries, 0, sizeof hcct_summaries);
    for (unsigned part = 0; waiting && part < HCCT_PARTS; part++)
        waiting[part].count = 0;
    hcct_summaries_begun = 0;
}
