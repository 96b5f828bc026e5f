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

/* What lies behind them is not touched, so it takes no memory. */
bool hcct_tally_extend(struct hcct_tally *tally, uint32_t count)
{
    while (tally->count < count) {
        if (!hcct_vector_grow(&tally->entries, &tally->capacity, tally->count, sizeof *tally->entries))
            return false;
        tally->entries[tally->count++] = (struct hcct_tally_entry){ 0 };
    }
    return true;
}

bool hcct_tally_add(struct hcct_tally *tally, uint32_t context, uint64_t count, uint64_t error)
{
    if (!hcct_tally_extend(tally, context + 1))
        return false;
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

/* --- cutting: quickselect, then one pass over the contexts ------------------------------------------ */

enum { SMALL = 64, ROUNDS = 64 };

static int compare_ranked(const void *left, const void *right)
{
    const struct hcct_tally_ranked *a = left, *b = right;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    if (a->word != b->word)
        return a->word < b->word ? -1 : 1;
    return a->context < b->context ? -1 : a->context > b->context;
}

static void swap(struct hcct_tally_ranked *a, struct hcct_tally_ranked *b)
{
    struct hcct_tally_ranked kept = *a;
    *a = *b;
    *b = kept;
}

/* Puts the element in the middle by rank, of three, at the end of [low, high). */
static void choose_pivot(struct hcct_tally_ranked *ranked, uint32_t low, uint32_t high)
{
    struct hcct_tally_ranked *first = &ranked[low], *middle = &ranked[low + (high - low) / 2],
                             *last = &ranked[high - 1];
    if (compare_ranked(middle, first) < 0)
        swap(middle, first);
    if (compare_ranked(last, first) < 0)
        swap(last, first);
    if (compare_ranked(middle, last) < 0)
        swap(middle, last);
}

/* Puts the element of rank `rank` at its place, smaller ranks before it, larger ones behind it. */
static void select_rank(struct hcct_tally_ranked *ranked, uint32_t count, uint32_t rank)
{
    uint32_t low = 0, high = count; /* low <= rank < high, and what is outside is at its side */
    for (int round = 0; high - low > SMALL && round < ROUNDS; round++) {
        choose_pivot(ranked, low, high);
        uint32_t at = low;
        for (uint32_t i = low; i < high - 1; i++)
            if (compare_ranked(&ranked[i], &ranked[high - 1]) < 0)
                swap(&ranked[i], &ranked[at++]);
        swap(&ranked[at], &ranked[high - 1]);
        if (at == rank)
            return;
        if (rank < at)
            high = at;
        else
            low = at + 1;
    }
    qsort(ranked + low, high - low, sizeof *ranked, compare_ranked);
}

uint64_t hcct_tally_select(struct hcct_tally_ranked *ranked, uint32_t count, uint32_t kept_count,
                           uint32_t *order)
{
    bool cuts = kept_count < count;
    if (cuts)
        select_rank(ranked, count, kept_count);
    for (uint32_t i = 0; i < count; i++)
        order[ranked[i].context] = cuts && i >= kept_count;
    uint64_t largest = cuts ? ranked[kept_count].count : 0;
    uint32_t kept = 0, left = cuts ? kept_count : count;
    for (uint32_t i = 0; i < count; i++) /* `ranked` becomes the order */
        ranked[order[i] ? left++ : kept++].context = i;
    for (uint32_t i = 0; i < count; i++)
        order[i] = ranked[i].context;
    return largest;
}

bool hcct_tally_cut(struct hcct_tally *tally, const uint32_t *order, uint32_t kept_count, uint64_t floor)
{
    struct hcct_tally_entry *kept = malloc(((size_t)kept_count + 1) * sizeof *kept);
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
    tally->count = kept_count;
    tally->capacity = kept_count + 1;
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
