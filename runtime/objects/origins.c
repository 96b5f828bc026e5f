/* See origins.h. The ids of a function are divided: one id may be a path of the function alone, and each
 * numbered call that leads to the function has a range of them. So the bounds of all these parts, sorted,
 * tell of an id by which call its path ends, and with it the id of the caller.
 *
 * Atomics: the list of tables is written under the registry's lock, and read without it. Deltas are plain
 * words of the ABI, so builtins. They pair with the stores of numbering.c. */
#include "runtime/objects/origins.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "hcct/abi.h"
#include "runtime/base/confined.h"
#include "runtime/base/memory.h"
#include "runtime/base/sort.h"
#include "runtime/core/busy.h"
#include "runtime/objects/record.h"
#include "runtime/objects/registry.h"

/* The ids of a function from `first` on, up to its next part. `delta`: of the call that leads there, or this.
 */
enum { FUNCTION_ALONE = 1 };
struct part {
    uint64_t first, delta;
};

struct range {
    uint64_t base, contexts; /* of a function */
};

/* All arrays but `sites` are in ascending order. */
struct table {
    const struct table *older;
    size_t function_count, part_count, site_mask;
    struct range *functions;
    struct part *parts;
    uint32_t *sites; /* a hash table, at most half full: hash_site of all sites of all functions */
};

/* The program's; NULL: it has none, or none that is seen here. It is read from data: where mold sees code
 * that finds it through the global offset table, _start of a static-pie does so, too, before that is
 * relocated. */
extern void program_main(void) __asm__("main") __attribute__((weak));
static void (*const volatile main_address)(void) = program_main;
static _Atomic uint64_t main_base; /* 0: not known, or a call leads there */
static bool main_is_called;        /* under the registry's lock */

static const struct table *_Atomic newest;
static _Atomic size_t objects_done; /* how many objects have a table; changed under the registry's lock */

/* --- making a table ------------------------------------------------------------------------------ */

/* Of a site of the function with that base. Not 0. Another site has the same with a probability of 2^-32. */
static uint32_t hash_site(uint64_t site, uint64_t base)
{
    return (uint32_t)((site ^ base * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xd6e8feb86659fd93) >> 32) | 1;
}

/* The place of a hash, or the free one for it. */
static uint32_t *site_place(const struct table *table, uint32_t hash)
{
    size_t at = hash >> 1;
    while (table->sites[at & table->site_mask] && table->sites[at & table->site_mask] != hash)
        at++;
    return &table->sites[at & table->site_mask];
}

static void look_for_main(const struct hcct_function *function)
{
    if (!main_address)
        return;
    for (uint32_t i = 0; i < function->site_count; i++)
        main_is_called |=
            hcct_record_callee_body(&hcct_record_sites(function)[i]) == (const void *)main_address;
    bool is_main = hcct_record_body(function) == (const void *)main_address;
    if (is_main || main_is_called)
        atomic_store_explicit(&main_base, main_is_called ? 0 : hcct_record_state(function)->base,
                              memory_order_relaxed);
}

static void add_function(struct table *table, const struct hcct_function *function)
{
    const struct hcct_state *state = hcct_record_state(function);
    if (!state->base || !hcct_record_runs(function))
        return;
    look_for_main(function);
    table->functions[table->function_count++] = (struct range){ state->base, state->contexts };
    table->parts[table->part_count++] = (struct part){ state->base, FUNCTION_ALONE };
    for (uint32_t i = 0; i < function->site_count; i++) {
        uint32_t hash = hash_site(hcct_record_sites(function)[i].id, state->base);
        *site_place(table, hash) = hash;
    }
    for (uint32_t i = 0; i < function->delta_count; i++) {
        int64_t delta = __atomic_load_n(&state->delta[i], __ATOMIC_RELAXED);
        if (delta > 0)
            table->parts[table->part_count++] =
                (struct part){ state->base + (uint64_t)delta, (uint64_t)delta };
    }
}

static uint64_t range_key(const void *range, const void *context)
{
    (void)context;
    return ((const struct range *)range)->base;
}

/* A function that has no path of its own begins with the part of a call. That stands behind the empty part.
 */
static uint64_t part_key(const void *part, const void *context)
{
    (void)context;
    return ((const struct part *)part)->first + (((const struct part *)part)->delta != FUNCTION_ALONE);
}

#define FOR_EACH_FUNCTION(first, end, f)                                                                     \
    for (size_t object = first; object < (end); object++)                                                    \
        for (const struct hcct_function *f = hcct_registry_object(object)->start;                            \
             f < hcct_registry_object(object)->stop; f++)

/* An empty table with room for the objects [first, end). NULL if memory is short. */
static struct table *allocate(size_t first, size_t end)
{
    size_t functions = 0, parts = 0, sites = 0, places = 64;
    FOR_EACH_FUNCTION(first, end, f)
    {
        functions++;
        parts += 1 + f->delta_count;
        sites += f->site_count;
    }
    while (places < 2 * sites)
        places *= 2;
    struct table *table = hcct_memory_map(sizeof *table + functions * sizeof *table->functions +
                                          parts * sizeof *table->parts + places * sizeof *table->sites);
    if (!table)
        return NULL;
    table->functions = (struct range *)(void *)(table + 1);
    table->parts = (struct part *)(void *)(table->functions + functions);
    table->sites = (uint32_t *)(void *)(table->parts + parts);
    table->site_mask = places - 1;
    return table;
}

/* Of the objects [first, end). False if memory is short. */
static bool make(size_t first, size_t end)
{
    static size_t places[HCCT_SORT_DIGITS]; /* large; under the registry's lock */
    struct table *table = allocate(first, end);
    if (!table)
        return false;
    FOR_EACH_FUNCTION(first, end, f)
    {
        add_function(table, f);
    }
    hcct_sort(table->functions, table->function_count, sizeof *table->functions, range_key, places);
    hcct_sort(table->parts, table->part_count, sizeof *table->parts, part_key, places);
    table->older = atomic_load_explicit(&newest, memory_order_relaxed);
    atomic_store_explicit(&newest, table,
                          memory_order_release); /* pairs with the load in hcct_origins_first */
    return true;
}

/* Whether all objects have a table now. */
static bool make_missing(void)
{
    if (atomic_load_explicit(&objects_done, memory_order_acquire) == hcct_registry_object_count())
        return true;
    if (hcct_confined) /* a sandbox: no system call */
        return false;
    bool is_own = hcct_registry_is_held();
    hcct_busy_enter(); /* no handler jumps out of this */
    if (!is_own && !hcct_registry_hold()) {
        hcct_busy_leave();
        return false;
    }
    size_t done = atomic_load_explicit(&objects_done, memory_order_relaxed),
           count = hcct_registry_object_count();
    bool made = done == count || make(done, count);
    if (made)
        atomic_store_explicit(&objects_done, count, memory_order_release);
    if (!is_own)
        hcct_registry_let_go();
    hcct_busy_leave();
    return made;
}

/* --- looking up ---------------------------------------------------------------------------------- */

/* That of the function that has the id, or NULL. */
static const struct range *range_of(const struct table *table, uint64_t id)
{
    size_t low = 0, count = table->function_count;
    while (count) {
        size_t half = count / 2;
        bool below = table->functions[low + half].base <= id;
        low += below ? half + 1 : 0;
        count = below ? count - half - 1 : half;
    }
    const struct range *range = low ? &table->functions[low - 1] : NULL;
    return range && id - range->base < range->contexts ? range : NULL;
}

/* The part that has the id, which a function has. */
static const struct part *part_of(const struct table *table, uint64_t id)
{
    size_t low = 0, count = table->part_count;
    while (count) {
        size_t half = count / 2;
        bool below = table->parts[low + half].first <= id;
        low += below ? half + 1 : 0;
        count = below ? count - half - 1 : half;
    }
    return &table->parts[low - 1];
}

/* The table that has the id's function, and that function; NULL: none has. */
static const struct range *find(uint64_t id, const struct table **table)
{
    const struct range *range = NULL;
    *table = atomic_load_explicit(&newest, memory_order_acquire);
    while (*table && !(range = range_of(*table, id)))
        *table = (*table)->older;
    return range;
}

static uint64_t first_of(const struct table *table, uint64_t id)
{
    const struct part *part = part_of(table, id);
    for (; part->delta != FUNCTION_ALONE; part = part_of(table, id))
        id -= part->delta;
    return part->first;
}

uint64_t hcct_origins_first(uint64_t id, uint64_t site)
{
    if (!make_missing())
        return HCCT_ORIGIN_UNKNOWN;
    const struct table *table;
    const struct range *function = find(id, &table);
    if (!function || (site && !*site_place(table, hash_site(site, function->base))))
        return HCCT_ORIGIN_NONE;
    return first_of(table, id);
}

bool hcct_origins_is_main(uint64_t base)
{
    return base == atomic_load_explicit(&main_base, memory_order_relaxed);
}

uint64_t hcct_origins_paths(uint64_t id)
{
    const struct table *table;
    const struct range *function = make_missing() ? find(id, &table) : NULL;
    return function ? function->contexts / range_of(table, first_of(table, id))->contexts : UINT64_MAX;
}
