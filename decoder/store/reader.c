#include "decoder/store/reader.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/store/elements.h"
#include "decoder/store/rows_file.h"
#include "format/error.h"
#include "format/section_reader.h"

static void point_at_sections(struct hcct_profile *profile, const struct hcct_section_table *table)
{
    uint32_t one;
#define SECTION(field, count, kind)                                                                          \
    (profile->field = (void *)hcct_section_elements(table, kind, &profile->count))
    SECTION(strings, string_bytes, HCCT_FILE_STRINGS);
    SECTION(code.functions, code.function_count, HCCT_FILE_FUNCTIONS);
    SECTION(code.sites, code.site_count, HCCT_FILE_SITES);
    SECTION(code.inlined, code.inlined_count, HCCT_FILE_INLINED);
    SECTION(rows.prefixes, rows.prefix_count, HCCT_FILE_PREFIXES);
    SECTION(rows.contexts, rows.context_count, HCCT_FILE_CONTEXTS);
    SECTION(rows.columns, rows.column_count, HCCT_FILE_COLUMNS);
    SECTION(rows.cells, rows.cell_count, HCCT_FILE_CELLS);
    SECTION(notes, note_count, HCCT_FILE_NOTES);
    SECTION(code.objects, code.object_count, HCCT_FILE_OBJECTS);
    SECTION(threads, thread_count, HCCT_FILE_THREADS);
    SECTION(code.names, code.name_count, HCCT_FILE_NAMES);
    SECTION(curve, curve_count, HCCT_FILE_CURVE);
#undef SECTION
    profile->run = hcct_section_elements(table, HCCT_FILE_RUN, &one);
    profile->estimate = hcct_section_elements(table, HCCT_FILE_ESTIMATE, &one);
}

static bool corrupt(const struct hcct_profile *profile, const void *element, struct hcct_error *error,
                    const char *what)
{
    return hcct_error_set(error, HCCT_ERROR_CORRUPT, hcct_elements_offset(profile, element), "%s", what);
}

static int compare_site_ids(const void *left, const void *right, void *context)
{
    const struct hcct_file_site *sites = context;
    const struct hcct_file_site *a = &sites[*(const uint32_t *)left], *b = &sites[*(const uint32_t *)right];
    if (a->caller != b->caller)
        return a->caller < b->caller ? -1 : 1;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return a < b ? -1 : a > b;
}

static bool build_site_order(struct hcct_profile *profile, struct hcct_error *error)
{
    const struct hcct_file_site *sites = profile->code.sites;
    uint32_t *order = profile->numbering.site_order;
    for (uint32_t i = 0; i < profile->code.site_count; i++)
        order[i] = i;
    if (profile->code.site_count)
        qsort_r(order, profile->code.site_count, sizeof *order, compare_site_ids, (void *)sites);
    for (uint32_t i = 1; i < profile->code.site_count; i++) /* guesses come before the push of their site */
        if (sites[order[i]].caller == sites[order[i - 1]].caller &&
            sites[order[i]].id == sites[order[i - 1]].id && sites[order[i - 1]].delta <= 0)
            return corrupt(profile, &sites[order[i]], error, "two sites of a function with one id");
    uint32_t site = 0;
    for (uint32_t function = 0; function < profile->code.function_count; function++) {
        while (site < profile->code.site_count && sites[order[site]].caller < function)
            site++;
        profile->numbering.first_site[function] = site;
    }
    profile->numbering.first_site[profile->code.function_count] = profile->code.site_count;
    return true;
}

/* One block for the index, the arrays that it points into, and the order of the sites. */
bool hcct_reader_index(struct hcct_profile *profile, struct hcct_error *error)
{
    size_t functions = profile->code.function_count, sites = profile->code.site_count;
    size_t index_bytes =
        (hcct_index_bytes(profile->code.function_count, profile->code.site_count) + 7) / 8 * 8;
    uint64_t *memory =
        malloc(index_bytes + (2 * functions + sites + 1) * 8 + (3 * sites + functions + 1) * 4);
    if (!memory)
        return hcct_error_out_of_memory(error);
    profile->numbering.memory = memory;
    uint64_t *base = memory + index_bytes / 8, *contexts = base + functions;
    int64_t *delta = (int64_t *)(contexts + functions);
    uint32_t *caller = (uint32_t *)(delta + sites), *callee = caller + sites;
    profile->numbering.site_order = callee + sites;
    profile->numbering.first_site = profile->numbering.site_order + sites;
    for (size_t i = 0; i < functions; i++) {
        base[i] = profile->code.functions[i].base;
        contexts[i] = profile->code.functions[i].contexts;
    }
    for (size_t i = 0; i < sites; i++) {
        delta[i] = profile->code.sites[i].delta;
        caller[i] = profile->code.sites[i].caller;
        callee[i] = profile->code.sites[i].callee;
    }
    if (!hcct_index_build(&profile->numbering.index, profile->code.function_count, base, contexts,
                          profile->code.site_count, caller, callee, delta, memory))
        return corrupt(profile, profile->code.functions, error,
                       "the numbering of the contexts is not consistent");
    return build_site_order(profile, error);
}

bool hcct_reader_is_numbering(const struct hcct_profile *profile)
{
    struct hcct_profile copy = *profile;
    struct hcct_error error;
    copy.numbering.memory = NULL;
    bool is_one = hcct_reader_index(&copy, &error);
    free(copy.numbering.memory);
    return is_one;
}

bool hcct_reader_read(struct hcct_profile *profile, const void *bytes, size_t length, size_t file_length,
                      struct hcct_rows_file *rows, struct hcct_error *error)
{
    struct hcct_section_table table;
    uint64_t text_left = 0;
    *profile = (struct hcct_profile){ 0 };
    if (!hcct_section_table_read(&table, bytes, length, error))
        return false;
    *profile = (struct hcct_profile){ .bytes = bytes, .length = file_length, .rows = { .file = rows } };
    point_at_sections(profile, &table);
    for (uint32_t i = 0; i < profile->code.site_count; i++)
        profile->line_count += profile->code.sites[i].line != 0;
    profile->folded = profile->run->recursion == HCCT_RECURSION_FOLDED;
    bool done = hcct_elements_check(profile, &text_left, error) &&
                (rows ? hcct_rows_file_scan(rows, profile, &text_left)
                      : hcct_elements_check_rows(profile, &text_left, error)) &&
                hcct_reader_index(profile, error);
    if (!done) {
        free(profile->numbering.memory);
        *profile = (struct hcct_profile){ 0 }; /* it may be closed */
    }
    return done;
}
