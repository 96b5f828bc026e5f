/* See places.h. The tables are sorted by address. */
#include "runtime/unwind/places.h"

#include <stddef.h>

#include "runtime/base/memory.h"
#include "runtime/base/sort.h"
#include "runtime/core/tables.h"
#include "runtime/objects/record.h"
#include "runtime/objects/registry.h"

struct place {
    uintptr_t address;
    const void *what;    /* struct hcct_state, or struct hcct_site */
    bool may_be_sibling; /* of functions */
};

struct places {
    size_t bytes; /* of the mapping */
    size_t count;
    struct place list[];
};

/* Under the table lock. */
static struct places *functions, *sites;
static uint64_t seen; /* the registry's state when they were made */

/* --- looking up ------------------------------------------------------------------------------------ */

/* The last place whose address is at most `address`, or NULL. */
static struct place *find(struct places *places, uintptr_t address)
{
    size_t low = 0, high = places ? places->count : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (places->list[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &places->list[low - 1] : NULL;
}

static struct place *find_function(struct places *places, uintptr_t start)
{
    struct place *place = find(places, start);
    return place && place->address == start ? place : NULL;
}

const struct hcct_state *hcct_places_function(uintptr_t start)
{
    const struct place *place = find_function(functions, start);
    return place ? place->what : NULL;
}

const struct hcct_site *hcct_places_site(const struct hcct_state *state, uintptr_t start, uintptr_t pc)
{
    const struct hcct_function *function = hcct_record_of(state);
    const struct place *place = find(sites, pc - 1);
    return place && place->address >= start && place->what != function ? place->what : NULL;
}

bool hcct_places_may_be_sibling(const struct hcct_state *state)
{
    const struct hcct_function *function = hcct_record_of(state);
    const struct place *place = find_function(functions, (uintptr_t)hcct_record_body(function));
    return !(function->flags & HCCT_FUNCTION_ENTERABLE) || !place || place->may_be_sibling;
}

/* --- making ---------------------------------------------------------------------------------------- */

static uint64_t address_of(const void *place, const void *context)
{
    (void)context;
    return ((const struct place *)place)->address;
}

static struct places *make(size_t count)
{
    size_t bytes = sizeof(struct places) + (count + 1) * sizeof(struct place);
    struct places *places = hcct_memory_map(bytes);
    if (places)
        places->bytes = bytes;
    return places;
}

static void add(struct places *places, const void *address, const void *what)
{
    places->list[places->count++] = (struct place){ (uintptr_t)address, what, false };
}

static void mark_siblings(struct places *places, const struct hcct_function *function)
{
    const struct hcct_site *list = hcct_record_sites(function);
    for (uint32_t i = 0; i < function->delta_count; i++) {
        const void *body = list[i].flags & HCCT_SITE_TAIL ? hcct_record_callee_body(&list[i]) : NULL;
        struct place *place = body ? find_function(places, (uintptr_t)body) : NULL;
        if (place)
            place->may_be_sibling = true;
    }
}

static void fill_functions(struct places *places)
{
    static size_t digits[HCCT_SORT_DIGITS]; /* under the registry's lock */
    for (size_t i = 0; i < hcct_registry_object_count(); i++) {
        const struct hcct_object *object = hcct_registry_object(i);
        for (const struct hcct_function *at = object->start; object->loaded && at < object->stop; at++)
            if (!(at->flags & HCCT_FUNCTION_EXTERNAL))
                add(places, hcct_record_body(at), hcct_record_state(at));
    }
    hcct_sort(places->list, places->count, sizeof *places->list, address_of, digits);
    for (size_t i = 0; i < places->count; i++)
        mark_siblings(places, hcct_record_of(places->list[i].what));
}

static void fill_sites(struct places *places)
{
    static size_t digits[HCCT_SORT_DIGITS]; /* under the registry's lock */
    for (size_t i = 0; i < hcct_registry_object_count(); i++) {
        const struct hcct_object *object = hcct_registry_object(i);
        const struct hcct_call_label *at = object->loaded ? object->calls : NULL;
        for (; at && at < object->calls_stop; at++)
            add(places, hcct_rel_get(&at->code), hcct_rel_get(&at->site));
    }
    hcct_sort(places->list, places->count, sizeof *places->list, address_of, digits);
}

static void replace(struct places **table, struct places *places)
{
    struct places *old = *table;
    *table = places;
    if (old)
        hcct_memory_unmap(old, old->bytes);
}

/* The tables are made without the table lock, which no thread holds together with the registry's. */
bool hcct_places_refresh(void)
{
    if (seen == hcct_registry_stamp())
        return true;
    if (!hcct_registry_hold())
        return false;
    size_t function_count = 0, site_count = 0;
    for (size_t i = 0; i < hcct_registry_object_count(); i++) {
        const struct hcct_object *object = hcct_registry_object(i);
        function_count += object->loaded ? (size_t)(object->stop - object->start) : 0;
        site_count += object->loaded ? (size_t)(object->calls_stop - object->calls) : 0;
    }
    uint64_t stamp = hcct_registry_stamp();
    struct places *found = make(function_count), *labels = make(site_count);
    bool done = found && labels;
    if (done) {
        fill_functions(found);
        fill_sites(labels);
    }
    hcct_registry_let_go();
    hcct_tables_lock();
    replace(&functions, done ? found : NULL);
    replace(&sites, done ? labels : NULL);
    seen = done ? stamp : 0;
    hcct_tables_unlock();
    return done;
}
