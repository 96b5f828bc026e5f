/* See guide.h. */
#include "encoding/guide.h"

#include "encoding/context.h"
#include "encoding/heapsort.h"
#include "encoding/parts.h"

/* --- sites by id ------------------------------------------------------------------------------- */

static uint64_t key_of_site(const void *site, const void *context)
{
    (void)context;
    return ((const struct hcct_guide_site *)site)->id;
}

/* Copies of one function have equal ids, which become one site. */
static void list_sites(struct hcct_guide *guide, const struct hcct_parts *parts)
{
    struct hcct_guide_site *sites = guide->sites;
    for (uint32_t i = 0; i < parts->site_count; i++)
        sites[i] = (struct hcct_guide_site){ parts->sites[i].id, 0 };
    hcct_heapsort(sites, parts->site_count, sizeof *sites, key_of_site, NULL);
    guide->site_count = 0;
    for (uint32_t i = 0; i < parts->site_count; i++)
        if (!i || sites[i].id != sites[i - 1].id)
            sites[guide->site_count++] = sites[i];
}

const struct hcct_guide_site *hcct_guide_find(const struct hcct_guide *guide, uint64_t id)
{
    uint32_t low = 0, high = guide->site_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (guide->sites[middle].id == id)
            return &guide->sites[middle];
        if (guide->sites[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* --- counting ---------------------------------------------------------------------------------- */

/* The site that a context was called by; 0: not known. */
static uint64_t last_site(const struct hcct_index *index, const struct hcct_parts *parts,
                          const struct hcct_file_context *context)
{
    if (context->prefix >= parts->prefix_count)
        return 0;
    const struct hcct_file_prefix *prefix = &parts->prefixes[context->prefix];
    uint64_t id = hcct_context_id(context->word, hcct_parts_prefix_hash(prefix)), caller;
    uint32_t function = hcct_index_function(index, id);
    if (function == HCCT_NO_INDEX)
        return 0;
    uint32_t edge = hcct_index_parent(index, function, id, &caller);
    return edge != HCCT_NO_INDEX              ? parts->sites[edge].id
           : prefix->kind == HCCT_PREFIX_PUSH ? prefix->site
                                              : 0;
}

bool hcct_guide_measure(const void *file, size_t length, size_t *site_bytes, size_t *scratch_bytes)
{
    struct hcct_parts parts;
    if (!hcct_parts_find(&parts, file, length) || parts.run->metric != HCCT_METRIC_CALLS)
        return false;
    *site_bytes = (size_t)parts.site_count * sizeof(struct hcct_guide_site);
    *scratch_bytes = hcct_parts_index_bytes(&parts);
    return true;
}

bool hcct_guide_read(struct hcct_guide *guide, const void *file, size_t length, void *site_memory,
                     void *scratch)
{
    struct hcct_parts parts;
    struct hcct_index index;
    guide->sites = site_memory;
    if (!hcct_parts_find(&parts, file, length) || !hcct_parts_index(&parts, &index, scratch))
        return false;
    list_sites(guide, &parts);
    for (uint32_t i = 0; i < parts.cell_count; i++) {
        const struct hcct_file_cell *cell = &parts.cells[i];
        const struct hcct_file_context *context =
            cell->context < parts.context_count ? &parts.contexts[cell->context] : NULL;
        const struct hcct_guide_site *found =
            context ? hcct_guide_find(guide, last_site(&index, &parts, context)) : NULL;
        uint64_t *calls = found ? &guide->sites[found - guide->sites].calls : NULL;
        if (calls && __builtin_add_overflow(*calls, cell->count, calls))
            *calls = UINT64_MAX;
    }
    return true;
}

uint8_t hcct_guide_weight(const struct hcct_guide_site *site, uint8_t weight)
{
    if (!site)
        return (uint8_t)(64 + weight / 4);
    if (!site->calls)
        return weight / 4;
    return (uint8_t)(128 + 63 - __builtin_clzll(site->calls));
}
