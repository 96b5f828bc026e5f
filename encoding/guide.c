/* See guide.h. */
#include "encoding/guide.h"

#include "encoding/context.h"
#include "encoding/heapsort.h"
#include "encoding/index.h"
#include "format/layout.h"
#include "format/section_reader.h"

/* --- the file ---------------------------------------------------------------------------------- */

struct parts {
    const struct hcct_file_run *run;
    const struct hcct_file_function *functions;
    const struct hcct_file_site *sites;
    const struct hcct_file_prefix *prefixes;
    const struct hcct_file_entry *entries;
    uint32_t function_count, site_count, prefix_count, entry_count;
};

static bool find_parts(struct parts *parts, const void *file, size_t length)
{
    struct hcct_section_table table;
    struct hcct_error ignored;
    uint32_t one;
    if (!hcct_section_table_read(&table, file, length, &ignored))
        return false;
    parts->run = hcct_section_elements(&table, HCCT_FILE_RUN, &one);
    parts->functions = hcct_section_elements(&table, HCCT_FILE_FUNCTIONS, &parts->function_count);
    parts->sites = hcct_section_elements(&table, HCCT_FILE_SITES, &parts->site_count);
    parts->prefixes = hcct_section_elements(&table, HCCT_FILE_PREFIXES, &parts->prefix_count);
    parts->entries = hcct_section_elements(&table, HCCT_FILE_ENTRIES, &parts->entry_count);
    return true;
}

/* --- sites by id ------------------------------------------------------------------------------- */

static uint64_t key_of_site(const void *site, const void *context)
{
    (void)context;
    return ((const struct hcct_guide_site *)site)->id;
}

/* Copies of one function have equal ids, which become one site. */
static void list_sites(struct hcct_guide *guide, const struct parts *parts)
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

static bool build_index(struct hcct_index *index, const struct parts *parts, uint64_t *memory)
{
    size_t functions = parts->function_count, sites = parts->site_count;
    uint64_t *base = memory + hcct_index_bytes(parts->function_count, parts->site_count) / 8;
    uint64_t *contexts = base + functions;
    int64_t *delta = (int64_t *)(contexts + functions);
    uint32_t *caller = (uint32_t *)(delta + sites), *callee = caller + sites;
    for (size_t i = 0; i < functions; i++) {
        base[i] = parts->functions[i].base;
        contexts[i] = parts->functions[i].contexts;
    }
    for (size_t i = 0; i < sites; i++) {
        delta[i] = parts->sites[i].delta;
        caller[i] = parts->sites[i].caller;
        callee[i] = parts->sites[i].callee;
    }
    return hcct_index_build(index, parts->function_count, base, contexts, parts->site_count, caller, callee,
                            delta, memory);
}

/* The site that the context of an entry was called by; 0: not known. */
static uint64_t last_site(const struct hcct_index *index, const struct parts *parts,
                          const struct hcct_file_entry *entry)
{
    if (entry->prefix >= parts->prefix_count)
        return 0;
    const struct hcct_file_prefix *prefix = &parts->prefixes[entry->prefix];
    bool pushed = prefix->kind == HCCT_PREFIX_PUSH;
    uint64_t h = prefix->kind == HCCT_PREFIX_ROOT ? 0
                 : pushed                         ? hcct_context_push(prefix->word, prefix->site)
                                                  : prefix->word;
    uint64_t id = hcct_context_id(entry->word, h), caller;
    uint32_t function = hcct_index_function(index, id);
    if (function == HCCT_NO_INDEX)
        return 0;
    uint32_t edge = hcct_index_parent(index, function, id, &caller);
    return edge != HCCT_NO_INDEX ? parts->sites[edge].id : pushed ? prefix->site : 0;
}

bool hcct_guide_measure(const void *file, size_t length, size_t *site_bytes, size_t *scratch_bytes)
{
    struct parts parts;
    if (!find_parts(&parts, file, length) || parts.run->metric != HCCT_METRIC_CALLS ||
        parts.run->scheme != HCCT_SCHEME_PCCE)
        return false;
    *site_bytes = (size_t)parts.site_count * sizeof(struct hcct_guide_site);
    *scratch_bytes = hcct_index_bytes(parts.function_count, parts.site_count) +
                     16 * ((size_t)parts.function_count + parts.site_count);
    return true;
}

bool hcct_guide_read(struct hcct_guide *guide, const void *file, size_t length, void *site_memory,
                     void *scratch)
{
    struct parts parts;
    struct hcct_index index;
    guide->sites = site_memory;
    if (!find_parts(&parts, file, length) || !build_index(&index, &parts, scratch))
        return false;
    list_sites(guide, &parts);
    for (uint32_t i = 0; i < parts.entry_count; i++) {
        const struct hcct_guide_site *found =
            hcct_guide_find(guide, last_site(&index, &parts, &parts.entries[i]));
        uint64_t *calls = found ? &guide->sites[found - guide->sites].calls : NULL;
        if (calls && __builtin_add_overflow(*calls, parts.entries[i].count, calls))
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
