/* See records.h. */
#include "runtime/output/records.h"

#include <string.h>

#include "hcct/locations.h"
#include "runtime/base/memory.h"
#include "runtime/base/sort.h"
#include "runtime/count/functions.h"
#include "runtime/objects/linked.h"
#include "runtime/objects/record.h"
#include "runtime/objects/registry.h"
#include "runtime/output/names.h"

static size_t places[HCCT_SORT_DIGITS]; /* scratch memory of hcct_sort, held by hcct_hold */

/* The place of an address in the caches of image.h, in 0 .. 255. */
static size_t place_of(const void *address)
{
    return ((uintptr_t)address * UINT64_C(0x9e3779b97f4a7c15)) >> 56;
}

/* The offset of a string of the records. They share strings, so the cache knows most of them. */
static uint32_t string_of(struct hcct_image *image, const char *text)
{
    struct hcct_image_text *known = &image->texts[place_of(text)];
    if (known->text != text)
        *known = (struct hcct_image_text){ text, hcct_strings_add(&image->strings, text) };
    return known->place;
}

static uint32_t rel_string(struct hcct_image *image, const hcct_rel *field)
{
    return string_of(image, hcct_rel_get(field));
}

static uint64_t key_of_function(const void *function, const void *context)
{
    (void)context;
    return ((const struct hcct_image_function *)function)->base;
}

static void gather_and_sort(struct hcct_image *image)
{
    image->function_count = image->site_count = 0;
    for (uint32_t o = 0; o < image->object_count; o++)
        for (const struct hcct_function *f = hcct_registry_object(o)->start;
             f < hcct_registry_object(o)->stop; f++) {
            uint64_t base = hcct_record_state(f)->base;
            if (!base || hcct_record_is_replaced(f))
                continue;
            image->functions[image->function_count++] =
                (struct hcct_image_function){ .record = f, .base = base, .object = o };
            image->site_count += f->site_count;
        }
    hcct_sort(image->functions, image->function_count, sizeof *image->functions, key_of_function, places);
}

/* The link or the runtime, whoever numbered the functions, has written their places. False: these are not the
 * places of them all. */
static bool gather_by_place(struct hcct_image *image)
{
    const bool linked = image->object_count == 1 && hcct_linked_build();
    const uint32_t count = (uint32_t)image->record_count;
    for (uint32_t o = 0; o < image->object_count; o++)
        for (const struct hcct_function *f = hcct_registry_object(o)->start;
             f < hcct_registry_object(o)->stop; f++) {
            const struct hcct_state *state = hcct_record_state(f);
            uint32_t place = linked ? f->flags >> HCCT_FUNCTION_PLACE_SHIFT : state->names;
            if (place < count)
                image->functions[place] =
                    (struct hcct_image_function){ .record = f, .base = state->base, .object = o };
            image->site_count += f->site_count;
        }
    for (uint32_t i = 0; i < count; i++)
        if (image->functions[i].base <= (i ? image->functions[i - 1].base : 0))
            return false;
    image->function_count = count;
    return true;
}

bool hcct_records_gather(struct hcct_image *image)
{
    image->object_count = hcct_registry_object_count();
    for (size_t o = 0; o < image->object_count; o++)
        image->record_count += (size_t)(hcct_registry_object(o)->stop - hcct_registry_object(o)->start);
    image->functions = hcct_memory_map((image->record_count + 1) * sizeof *image->functions);
    if (!image->functions)
        return false;
    if (!gather_by_place(image))
        gather_and_sort(image);
    return true;
}

/* The index of an inlined frame of `function` in the file. Neighbouring sites share inlined frames, so the
 * cache knows most of them. One that is not in the cache any more is written again. */
static uint32_t inlined_index(struct hcct_image *image, const struct hcct_function *function,
                              const struct hcct_inlined *record)
{
    struct hcct_image_inlined *known = &image->inlined_known[place_of(record)];
    if (!record)
        return HCCT_FILE_NONE;
    if (known->record == record && known->after)
        return known->after - 1;
    const struct hcct_subprogram *subprogram = hcct_locations_subprogram(record);
    uint32_t outer = inlined_index(image, function, hcct_rel_get(&record->outer));
    if (image->inlined_count == image->inlined_capacity) {
        image->out.failed = true;
        return HCCT_FILE_NONE;
    }
    *known = (struct hcct_image_inlined){ record, image->inlined_count + 1 };
    image->inlined[image->inlined_count] = (struct hcct_file_inlined){
        .linkage_name = string_of(image, hcct_locations_name(record)),
        .source_name = rel_string(image, &subprogram->source_name),
        .file = rel_string(image, &subprogram->file),
        .line = subprogram->line,
        .call_file = string_of(image, hcct_locations_call_file(function, record)),
        .call_line = record->call_line,
        .call_column = record->call_column,
        .call_discriminator = record->call_discriminator,
        .outer = outer,
    };
    return image->inlined_count++;
}

/* The function that owns `id`, or NULL. */
static struct hcct_image_function *function_of(const struct hcct_image *image, uint64_t id)
{
    struct hcct_image_function *found = image->functions;
    for (uint32_t left = image->function_count, half; left > 1; left -= half) {
        half = left / 2; /* without a branch, as half of its predictions would fail */
        found += found[half].base <= id ? half : 0;
    }
    bool inside = image->function_count && id - found->base < hcct_record_state(found->record)->contexts;
    return inside ? found : NULL;
}

static int64_t delta_of(const struct hcct_function *record, uint32_t site)
{
    return site < record->delta_count ? hcct_record_state(record)->delta[site] : HCCT_DELTA_OPEN;
}

/* The site's callee, by the delta; NULL: it is not known, or has no ids. Addresses do not tell: the callee's
 * object may be unloaded. */
static struct hcct_image_function *callee_of(const struct hcct_image *image, const struct hcct_site *site,
                                             struct hcct_image_function *caller, int64_t delta)
{
    if (delta > 0)
        return function_of(image, caller->base + (uint64_t)delta);
    if (!hcct_delta_is_outside(delta))
        return function_of(image, (uint64_t)delta & ~(uint64_t)HCCT_DELTA_SIGN);
    bool recursive =
        (site->flags & (HCCT_SITE_KIND_MASK | HCCT_SITE_PUSHES)) == (HCCT_SITE_LOCAL | HCCT_SITE_PUSHES) &&
        !hcct_record_is_external(site);
    return recursive ? caller : NULL;
}

/* --- calls that no context has ----------------------------------------------------------------------- */

void hcct_records_count_calls(struct hcct_image *image)
{
    for (uint32_t i = 0; i < image->function_count; i++)
        image->functions[i].evicted =
            hcct_functions_calls(hcct_record_state(image->functions[i].record)->names);
}

void hcct_records_take_calls(struct hcct_image *image, uint64_t id, uint64_t calls)
{
    struct hcct_image_function *function = function_of(image, id);
    if (function)
        function->evicted -= calls < function->evicted ? calls : function->evicted;
}

/* --- which ------------------------------------------------------------------------------------------ */

static void choose_callees(struct hcct_image *image, uint32_t function)
{
    struct hcct_image_function *caller = &image->functions[function];
    const struct hcct_site *sites = hcct_record_sites(caller->record);
    for (uint32_t s = 0; s < caller->record->site_count; s++) {
        struct hcct_image_function *callee =
            hcct_subset_keeps(&image->subset, function, s)
                ? callee_of(image, &sites[s], caller, delta_of(caller->record, s))
                : NULL;
        if (callee)
            hcct_bits_add(image->subset.kept, (uint32_t)(callee - image->functions));
    }
}

static bool keeps_all_sites(const struct hcct_image *image)
{
    uint32_t kept = 0;
    for (uint32_t word = 0; word < hcct_bits_words(image->site_count); word++)
        kept += (uint32_t)__builtin_popcountll(image->subset.sites[word]);
    return kept == image->site_count;
}

/* The first function from `from` on that the file has, or their number. */
static uint32_t next_function(const struct hcct_image *image, uint32_t from)
{
    return image->has_all ? from : hcct_bits_next(image->subset.kept, from, image->function_count);
}

/* The first whose sites it has. */
static uint32_t next_caller(const struct hcct_image *image, uint32_t from)
{
    return image->has_all ? from : hcct_bits_next(image->subset.on_path, from, image->function_count);
}

void hcct_records_choose(struct hcct_image *image)
{
    uint32_t count = 0;
    image->has_all = image->has_all || !hcct_subset_find(&image->subset, image->functions,
                                                         image->function_count, image->site_count);
    bool has_parts = !image->has_all;
    for (uint32_t i = 0; has_parts && i < image->function_count; i++)
        if (image->functions[i].evicted)
            hcct_bits_add(image->subset.kept, i);
    for (uint32_t i = 0; has_parts && (i = next_caller(image, i)) < image->function_count; i++) {
        hcct_bits_add(image->subset.kept, i);
        choose_callees(image, i);
    }
    for (uint32_t i = 0; (i = next_function(image, i)) < image->function_count; i++)
        image->functions[i].index = count++;
    if (has_parts)
        image->has_all = count == image->function_count && keeps_all_sites(image);
}

/* --- functions and sites ---------------------------------------------------------------------------- */

static void write_function(struct hcct_image *image, const struct hcct_image_function *function)
{
    const struct hcct_function *record = function->record;
    const struct hcct_state *state = hcct_record_state(record);
    struct hcct_file_function *out = hcct_section_append(&image->out, sizeof *out);
    if (!out)
        return;
    *out = (struct hcct_file_function){
        .base = state->base,
        .contexts = state->contexts,
        .linkage_name = rel_string(image, &record->linkage_name),
        .source_name = rel_string(image, &record->source_name),
        .file = rel_string(image, &record->file),
        .line = record->line,
        .flags = record->flags & HCCT_FUNCTION_FLAG_MASK,
        .object = function->object,
        .evicted = function->evicted,
    };
}

void hcct_records_write_functions(struct hcct_image *image)
{
    hcct_section_open_packed(&image->out, HCCT_FILE_FUNCTIONS, sizeof(struct hcct_file_function));
    for (uint32_t i = 0; (i = next_function(image, i)) < image->function_count; i++)
        write_function(image, &image->functions[i]);
    hcct_section_close(&image->out);
}

static void write_site(struct hcct_image *image, struct hcct_image_function *caller, uint32_t index,
                       const struct hcct_location *location)
{
    const struct hcct_site *site = &hcct_record_sites(caller->record)[index];
    int64_t delta = delta_of(caller->record, index);
    const struct hcct_image_function *callee = callee_of(image, site, caller, delta);
    struct hcct_file_site *out = hcct_section_append(&image->out, sizeof *out);
    if (!out)
        return;
    *out = (struct hcct_file_site){
        .id = site->id,
        .delta = hcct_delta_is_outside(delta) ? HCCT_DELTA_OPEN : delta,
        .caller = caller->index,
        .callee = callee ? callee->index : HCCT_FILE_NONE,
        .callee_name = string_of(image, hcct_record_callee_name(site)),
        .file = string_of(image, hcct_locations_file(caller->record, location->scope)),
        .line = location->line,
        .column = location->column,
        .inlined =
            inlined_index(image, caller->record, hcct_locations_inlined(caller->record, location->scope)),
        .flags = site->flags,
        .ordinal = location->ordinal,
        .discriminator = location->discriminator,
    };
}

static void write_sites_of(struct hcct_image *image, uint32_t function)
{
    struct hcct_image_function *caller = &image->functions[function];
    struct hcct_locations locations = hcct_locations_of(caller->record);
    for (uint32_t s = 0; s < caller->record->site_count; s++) {
        const struct hcct_location *location = hcct_locations_next(&locations);
        if (image->has_all || hcct_subset_keeps(&image->subset, function, s))
            write_site(image, caller, s, location);
    }
}

void hcct_records_write_sites(struct hcct_image *image)
{
    hcct_section_open_packed(&image->out, HCCT_FILE_SITES, sizeof(struct hcct_file_site));
    for (uint32_t i = 0; (i = next_caller(image, i)) < image->function_count; i++)
        write_sites_of(image, i);
    hcct_section_close(&image->out);
    hcct_section_open_packed(&image->out, HCCT_FILE_INLINED, sizeof(struct hcct_file_inlined));
    hcct_section_append_all(&image->out, image->inlined, image->inlined_count * sizeof *image->inlined);
    hcct_section_close(&image->out);
}

/* --- names ------------------------------------------------------------------------------------------ */

void hcct_records_write_names(struct hcct_image *image)
{
    uint64_t words = hcct_names_words(image->function_count);
    uint64_t *filter = hcct_memory_map(words * sizeof *filter);
    image->out.failed |= !filter;
    if (!filter)
        return;
    if (image->object_count != 1 || !hcct_linked_names(hcct_registry_object(0)->start, filter, words))
        hcct_names_fill(image->functions, image->function_count, filter, words);
    hcct_section_open(&image->out, HCCT_FILE_NAMES, sizeof *filter);
    hcct_section_append_all(&image->out, filter, words * sizeof *filter);
    hcct_section_close(&image->out);
    hcct_memory_unmap(filter, words * sizeof *filter);
}
