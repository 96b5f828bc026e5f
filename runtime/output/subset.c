/* See subset.h. */
#include "runtime/output/subset.h"

#include <string.h>

#include "runtime/base/memory.h"
#include "runtime/base/sort.h"
#include "runtime/objects/record.h"
#include "runtime/output/bits.h"
#include "runtime/output/strings.h"

static size_t places[HCCT_SORT_DIGITS]; /* scratch memory of hcct_sort, held by hcct_hold */

/* --- ends of paths ------------------------------------------------------------------------------- */

static size_t place_of(const struct hcct_subset_end *end, size_t size)
{
    uint64_t hash = (end->id ^ end->site >> 7) * UINT64_C(0x9e3779b97f4a7c15);
    return (hash ^ hash >> 32) & (size - 1);
}

/* The place of an end in a table, or of the free slot for it. */
static struct hcct_subset_end *find_end(struct hcct_subset_end *ends, size_t size,
                                        const struct hcct_subset_end *end)
{
    size_t at = place_of(end, size);
    while (ends[at].id && (ends[at].id != end->id || ends[at].site != end->site))
        at = (at + 1) & (size - 1);
    return &ends[at];
}

static __attribute__((noinline)) void grow(struct hcct_subset *subset)
{
    enum { FIRST_SIZE = 512 };
    size_t size = subset->table_size ? 2 * subset->table_size : FIRST_SIZE;
    struct hcct_subset_end *ends = hcct_memory_map(size * sizeof *ends);
    if (!ends) {
        subset->failed = true;
        return;
    }
    for (size_t i = 0; i < subset->table_size; i++)
        if (subset->ends[i].id)
            *find_end(ends, size, &subset->ends[i]) = subset->ends[i];
    hcct_memory_unmap(subset->ends, subset->table_size * sizeof *ends);
    subset->ends = ends;
    subset->table_size = size;
}

void hcct_subset_need(struct hcct_subset *subset, uint64_t id, uint64_t site)
{
    const struct hcct_subset_end end = { id, site };
    if (2 * subset->end_count >= subset->table_size && !subset->failed)
        grow(subset);
    if (subset->failed || !id)
        return;
    struct hcct_subset_end *place = find_end(subset->ends, subset->table_size, &end);
    subset->end_count += !place->id;
    *place = end;
}

static uint64_t key_of_end(const void *end, const void *context)
{
    (void)context;
    return ((const struct hcct_subset_end *)end)->id;
}

/* From now on `ends` is a list, in ascending order of ids. */
static void sort_ends(struct hcct_subset *subset)
{
    size_t count = 0;
    for (size_t i = 0; i < subset->table_size; i++)
        if (subset->ends[i].id)
            subset->ends[count++] = subset->ends[i];
    hcct_sort(subset->ends, count, sizeof *subset->ends, key_of_end, places);
}

/* --- paths --------------------------------------------------------------------------------------- */

/* The place of an id in `ranges`: its highest bit, and the six bits below that. */
static unsigned word_of(uint64_t id)
{
    return 63 - (unsigned)__builtin_clzll(id | 1);
}

static unsigned bit_of(uint64_t id)
{
    return (unsigned)(id << (63 - word_of(id)) >> 57) & 63;
}

static void add_id(struct hcct_subset *subset, size_t at, uint64_t id)
{
    if (at < subset->id_capacity)
        subset->ids[at] = id;
    else
        subset->failed = true;
    subset->ranges[word_of(id)] |= UINT64_C(1) << bit_of(id);
}

/* Whether any id may be in [first, last]. Most calls lead to ranges of ids without any, and need no
 * search. */
static bool may_have(const struct hcct_subset *subset, uint64_t first, uint64_t last)
{
    unsigned word = word_of(first), low = bit_of(first), high = bit_of(last);
    return word != word_of(last) || (subset->ranges[word] >> low & UINT64_MAX >> (63 - (high - low))) != 0;
}

/* The first of the descending `ids` that is at most `limit`. */
static size_t first_at_most(const uint64_t *ids, size_t count, uint64_t limit)
{
    size_t low = 0;
    while (count) {
        size_t half = count / 2;
        bool above = ids[low + half] > limit;
        low += above ? half + 1 : 0;
        count = above ? count - half - 1 : half;
    }
    return low;
}

/* Keeps the calls of a function that lead to ids of paths, and adds what they come from behind the ids.
 * Returns how many that are. */
static size_t follow_calls(struct hcct_subset *subset, const struct hcct_function *record, uint32_t site)
{
    const struct hcct_state *state = hcct_record_state(record);
    size_t added = 0;
    for (uint32_t i = 0; i < record->delta_count; i++) {
        uint64_t delta = (uint64_t)state->delta[i], first = state->base + delta;
        if (state->delta[i] <= 0 || first > subset->ids[0] ||
            !may_have(subset, first, first + state->contexts - 1))
            continue;
        size_t at = first_at_most(subset->ids, subset->id_count, first + state->contexts - 1);
        if (at < subset->id_count && subset->ids[at] >= first)
            hcct_bits_add(subset->sites, site + i);
        for (; at < subset->id_count && subset->ids[at] >= first; at++)
            add_id(subset, subset->id_count + added++, subset->ids[at] - delta);
    }
    subset->explained += added;
    return added;
}

static void keep_pushes(struct hcct_subset *subset, const struct hcct_function *record, uint32_t site,
                        uint64_t id)
{
    const struct hcct_site *sites = hcct_record_sites(record);
    for (uint32_t i = 0; i < record->site_count; i++)
        if (sites[i].id == id)
            hcct_bits_add(subset->sites, site + i);
}

static uint64_t descending(const void *id, const void *context)
{
    (void)context;
    return ~*(const uint64_t *)id;
}

/* Sorts the ids that were added last, and drops those that are there twice. */
static void finish_function(struct hcct_subset *subset, size_t added)
{
    uint64_t *ids = subset->ids + subset->id_count;
    size_t kept = 0;
    hcct_sort(ids, added, sizeof *ids, descending, places);
    for (size_t i = 0; i < added; i++)
        if (!kept || ids[kept - 1] != ids[i])
            ids[kept++] = ids[i];
    subset->id_count += kept;
}

/* --- calls that were not made ------------------------------------------------------------------------ */

enum { SET_BITS = 1024 };

/* Of the callee, by its place: in one function, callees of one name are the same. The distance to the
 * function's record is the same in each run. */
static uint32_t hash_callee(const struct hcct_function *record, const struct hcct_site *site)
{
    uint64_t distance = (uintptr_t)hcct_rel_get(&site->callee) - (uintptr_t)record;
    return site->callee ? (uint32_t)(distance * UINT64_C(0x9e3779b97f4a7c15) >> 32) % SET_BITS : 0;
}

/* Keeps the sites of a function whose callee has the name of a kept one's. A set of hashes is enough: it may
 * keep a few more. */
static void keep_alike(struct hcct_subset *subset, const struct hcct_function *record, uint32_t site)
{
    const struct hcct_site *sites = hcct_record_sites(record);
    uint64_t set[SET_BITS / 64] = { 0 };
    uint32_t kept = 0;
    for (uint32_t i = 0; i < record->site_count; i++) {
        if (!hcct_bits_has(subset->sites, site + i))
            continue;
        uint32_t hash = hash_callee(record, &sites[i]);
        set[hash / 64] |= UINT64_C(1) << hash % 64;
        kept++;
    }
    for (uint32_t i = 0; kept && i < record->site_count; i++) {
        uint32_t hash = hash_callee(record, &sites[i]);
        if (set[hash / 64] >> hash % 64 & 1)
            hcct_bits_add(subset->sites, site + i);
    }
}

/* --- all ---------------------------------------------------------------------------------------------- */

static bool allocate(struct hcct_subset *subset, uint32_t function_count, uint32_t site_count)
{
    size_t sites = hcct_bits_words(site_count), functions = hcct_bits_words(function_count);
    subset->memory_bytes = (sites + 3 * functions) * sizeof(uint64_t) + function_count * sizeof(uint32_t);
    subset->sites = hcct_memory_map(subset->memory_bytes);
    subset->id_capacity = (size_t)1 << 28;
    subset->ids = hcct_strings_reserve(&subset->id_capacity, sizeof *subset->ids);
    if (!subset->sites || !subset->ids)
        return false;
    subset->on_path = subset->sites + sites;
    subset->may_begin = subset->on_path + functions;
    subset->kept = subset->may_begin + functions;
    subset->first_site = (uint32_t *)(subset->kept + functions);
    return true;
}

/* The turn of function `i`. *end is the number of ends of this function, and of those that come after it. */
static void take_function(struct hcct_subset *subset, const struct hcct_image_function *functions, uint32_t i,
                          size_t *end)
{
    const struct hcct_function *record = functions[i].record;
    const uint32_t site = subset->site_count; /* of the first site */
    uint64_t limit = functions[i].base + hcct_record_state(record)->contexts;
    size_t added = subset->id_count ? follow_calls(subset, record, site) : 0;
    for (; *end && subset->ends[*end - 1].id >= functions[i].base; --*end) {
        const struct hcct_subset_end *last = &subset->ends[*end - 1];
        if (last->id >= limit) /* of no function */
            continue;
        add_id(subset, subset->id_count + added++, last->id);
        if (last->site)
            keep_pushes(subset, record, site, last->site);
    }
    if (!added || subset->failed)
        return;
    finish_function(subset, added);
    keep_alike(subset, record, site);
    hcct_bits_add(subset->on_path, i);
    subset->first_site[i] = site;
    subset->site_count += record->site_count;
}

/* The number of functions whose base is at most `id`. */
static uint32_t count_up_to(const struct hcct_image_function *functions, uint32_t count, uint64_t id)
{
    uint32_t low = 0;
    while (count) {
        uint32_t half = count / 2;
        bool below = functions[low + half].base <= id;
        low += below ? half + 1 : 0;
        count = below ? count - half - 1 : half;
    }
    return low;
}

/* The function that the site pushes for, if it is known; else NO_CALLEE, which is no base. */
static uint64_t pushed_base(const struct hcct_function *record, uint32_t site)
{
    enum { NO_CALLEE = 0 };
    const struct hcct_site *at = &hcct_record_sites(record)[site];
    int64_t delta = site < record->delta_count ? hcct_record_state(record)->delta[site] : HCCT_DELTA_OPEN;
    if (!hcct_delta_is_outside(delta))
        return delta > 0 ? NO_CALLEE : (uint64_t)delta & ~(uint64_t)HCCT_DELTA_SIGN;
    bool is_local =
        (at->flags & (HCCT_SITE_KIND_MASK | HCCT_SITE_PUSHES)) == (HCCT_SITE_LOCAL | HCCT_SITE_PUSHES);
    return is_local ? hcct_record_state(hcct_rel_get(&at->callee))->base : NO_CALLEE;
}

static uint64_t bit_of_base(uint64_t base)
{
    return UINT64_C(1) << (base * UINT64_C(0x9e3779b97f4a7c15) >> 58);
}

/* How many of the ids begin their path for certain, as the records say: each is the base of a function that
 * can be entered by code that did not number the call. The other functions with their base among the ids may
 * begin one. */
static size_t count_enterable(struct hcct_subset *subset, const struct hcct_image_function *functions,
                              uint32_t function_count)
{
    size_t count = 0, at = subset->id_count;
    HCCT_BITS_EACH(i, subset->on_path, function_count)
    {
        while (at && subset->ids[at - 1] < functions[i].base)
            at--;
        if (!at || subset->ids[at - 1] != functions[i].base)
            continue;
        bool is_enterable = functions[i].record->flags & HCCT_FUNCTION_ENTERABLE;
        count += is_enterable;
        if (!is_enterable) {
            hcct_bits_add(subset->may_begin, i);
            subset->may_begin_bases |= bit_of_base(functions[i].base);
        }
    }
    return count;
}

/* How many others do, as a site of a function with a path pushes for them: then no numbered call leads to
 * that function's base. */
static size_t count_pushed(struct hcct_subset *subset, const struct hcct_image_function *functions,
                           uint32_t function_count)
{
    size_t count = 0;
    HCCT_BITS_EACH(i, subset->on_path, function_count)
    for (uint32_t s = 0; s < functions[i].record->site_count; s++) {
        uint64_t base = pushed_base(functions[i].record, s);
        bool is_asked = base && subset->may_begin_bases & bit_of_base(base);
        uint32_t callee = is_asked ? count_up_to(functions, function_count, base) : 0;
        if (!callee || functions[callee - 1].base != base || !hcct_bits_has(subset->may_begin, callee - 1))
            continue;
        hcct_bits_drop(subset->may_begin, callee - 1);
        count++;
    }
    return count;
}

/* Looks at the calls of those functions only that paths end in. Usually there are no others on paths, as each
 * call is counted. False if it turns out that there are: some id has no call, and begins no path. */
static bool find_among_ends(struct hcct_subset *subset, const struct hcct_image_function *functions,
                            uint32_t function_count)
{
    size_t end = subset->end_count;
    for (uint32_t left = function_count; end && !subset->failed; left--) {
        left = count_up_to(functions, left, subset->ends[end - 1].id);
        if (!left)
            break;
        take_function(subset, functions, left - 1, &end);
    }
    size_t known = subset->explained + count_enterable(subset, functions, function_count);
    return known == subset->id_count ||
           known + count_pushed(subset, functions, function_count) == subset->id_count;
}

static void find_among_all(struct hcct_subset *subset, const struct hcct_image_function *functions,
                           uint32_t function_count, uint32_t site_count)
{
    size_t end = subset->end_count;
    memset(subset->sites, 0, hcct_bits_words(site_count) * sizeof *subset->sites);
    memset(subset->on_path, 0, hcct_bits_words(function_count) * sizeof *subset->on_path);
    memset(subset->ranges, 0, sizeof subset->ranges);
    subset->id_count = subset->site_count = 0;
    for (uint32_t i = function_count; i-- > 0 && !subset->failed;)
        take_function(subset, functions, i, &end);
}

bool hcct_subset_find(struct hcct_subset *subset, const struct hcct_image_function *functions,
                      uint32_t function_count, uint32_t site_count)
{
    if (subset->failed || !allocate(subset, function_count, site_count))
        return false;
    sort_ends(subset);
    if (!find_among_ends(subset, functions, function_count))
        find_among_all(subset, functions, function_count, site_count);
    return !subset->failed;
}

void hcct_subset_close(struct hcct_subset *subset)
{
    hcct_memory_unmap(subset->ends, subset->table_size * sizeof *subset->ends);
    hcct_memory_unmap(subset->sites, subset->memory_bytes);
    hcct_memory_release(subset->ids, subset->id_capacity * sizeof *subset->ids);
    *subset = (struct hcct_subset){ 0 };
}
