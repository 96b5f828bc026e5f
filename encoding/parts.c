/* See parts.h. */
#include "encoding/parts.h"

#include "encoding/context.h"
#include "format/section_reader.h"

bool hcct_parts_find(struct hcct_parts *parts, const void *file, size_t length)
{
    struct hcct_section_table table;
    struct hcct_error ignored;
    uint32_t one, cells;
    if (!hcct_section_table_read(&table, file, length, &ignored))
        return false;
    parts->run = hcct_section_elements(&table, HCCT_FILE_RUN, &one);
    parts->strings = hcct_section_elements(&table, HCCT_FILE_STRINGS, &parts->string_bytes);
    parts->functions = hcct_section_elements(&table, HCCT_FILE_FUNCTIONS, &parts->function_count);
    parts->sites = hcct_section_elements(&table, HCCT_FILE_SITES, &parts->site_count);
    parts->prefixes = hcct_section_elements(&table, HCCT_FILE_PREFIXES, &parts->prefix_count);
    parts->contexts = hcct_section_elements(&table, HCCT_FILE_CONTEXTS, &parts->context_count);
    parts->cells = hcct_section_elements(&table, HCCT_FILE_CELLS, &cells);
    const struct hcct_file_column *columns = hcct_section_elements(&table, HCCT_FILE_COLUMNS, &one);
    parts->cell_count = one && columns->count < cells ? columns->count : one ? cells : 0;
    return parts->run->scheme == HCCT_SCHEME_PCCE;
}

size_t hcct_parts_index_bytes(const struct hcct_parts *parts)
{
    return (hcct_index_bytes(parts->function_count, parts->site_count) + 7) / 8 * 8 +
           16 * ((size_t)parts->function_count + parts->site_count);
}

bool hcct_parts_index(const struct hcct_parts *parts, struct hcct_index *index, uint64_t *memory)
{
    size_t functions = parts->function_count, sites = parts->site_count;
    uint64_t *base = memory + (hcct_index_bytes(parts->function_count, parts->site_count) + 7) / 8;
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

uint64_t hcct_parts_prefix_hash(const struct hcct_file_prefix *prefix)
{
    return prefix->kind == HCCT_PREFIX_ROOT     ? 0
           : prefix->kind == HCCT_PREFIX_PUSH   ? hcct_context_push(prefix->word, prefix->site)
           : prefix->kind == HCCT_PREFIX_THREAD ? hcct_context_thread(prefix->site)
                                                : prefix->word;
}

const char *hcct_parts_string(const struct hcct_parts *parts, uint32_t offset)
{
    bool ends = parts->string_bytes && !parts->strings[parts->string_bytes - 1];
    return ends && offset < parts->string_bytes ? parts->strings + offset : "";
}
