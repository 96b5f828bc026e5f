/* See pool_merge.h: sorted lists of prefixes, then of contexts, each context's cells in each column of the
 * result. */
#include "decoder/store/pool_merge.h"

#include <stdlib.h>

#include "decoder/store/pool_columns.h"
#include "decoder/store/pool_merging.h"
#include "decoder/store/pool_prefixes.h"

/* --- contexts --------------------------------------------------------------------------------------- */

static bool is_before(const struct hcct_file_context *a, const struct hcct_file_context *b)
{
    return a->prefix != b->prefix ? a->prefix < b->prefix : a->word < b->word;
}

/* The next context of a source that has its chain, and the next one of the others. */
static bool next_context(const struct hcct_merging_source *source, bool is_moved,
                         struct hcct_file_context *context)
{
    const struct hcct_rows *rows = &source->part->rows;
    *context = (struct hcct_file_context){ .word = 0 };
    if (is_moved) {
        if (source->moved_at == source->moved_count)
            return false;
        context->word = source->moved[source->moved_at].word;
        context->prefix = source->moved[source->moved_at].prefix;
        return true;
    }
    if (source->context_at == rows->context_count ||
        rows->contexts[source->context_at].prefix == HCCT_FILE_NONE)
        return false;
    context->word = rows->contexts[source->context_at].word;
    context->prefix = source->prefix[rows->contexts[source->context_at].prefix];
    return true;
}

/* The first context of all sources that is left. */
static bool find_next(const struct hcct_merging *it, struct hcct_file_context *least)
{
    struct hcct_file_context context;
    bool any = false;
    for (uint32_t i = 0; i < it->count; i++)
        for (int moved = 0; moved < 2; moved++)
            if (next_context(&it->sources[i], moved, &context) && (!any || is_before(&context, least))) {
                *least = context;
                any = true;
            }
    return any;
}

static void take_next(struct hcct_merging *it, const struct hcct_file_context *least)
{
    struct hcct_file_context context;
    for (uint32_t i = 0; i < it->count; i++) {
        struct hcct_merging_source *source = &it->sources[i];
        source->context[0] = source->context[1] = HCCT_FILE_NONE;
        if (next_context(source, false, &context) && !is_before(least, &context))
            source->context[0] = source->context_at++;
        if (next_context(source, true, &context) && !is_before(least, &context))
            source->context[1] = source->moved[source->moved_at++].context;
    }
}

static void merge_contexts(struct hcct_merging *it)
{
    struct hcct_file_context least;
    while (find_next(it, &least)) {
        take_next(it, &least);
        if (hcct_merging_add_cells(it))
            it->to.contexts[it->to.context_count++] = least;
    }
}

/* --- the whole -------------------------------------------------------------------------------------- */

static bool allocate(struct hcct_merging *it, struct hcct_pool_part *parts)
{
    size_t prefixes = 0, contexts = 0, columns = 4;
    for (uint32_t i = 0; i < it->count; i++) {
        prefixes += parts[i].rows.prefix_count;
        contexts += parts[i].rows.context_count;
        columns += parts[i].rows.column_count;
    }
    if (prefixes >= HCCT_FILE_NONE || contexts >= HCCT_FILE_NONE)
        return false;
    it->to.prefixes = malloc((prefixes + 1) * sizeof *it->to.prefixes);
    it->to.contexts = malloc((contexts + 1) * sizeof *it->to.contexts);
    it->to.columns = malloc((columns + 1) * sizeof *it->to.columns);
    it->depth = malloc((prefixes + 1) * sizeof *it->depth);
    it->cells = calloc(columns + 1, sizeof *it->cells);
    it->cell_count = calloc(columns + 1, sizeof *it->cell_count);
    it->sources = calloc(it->count, sizeof *it->sources);
    bool done = it->to.prefixes && it->to.contexts && it->to.columns && it->depth && it->cells &&
                it->cell_count && it->sources;
    for (uint32_t i = 0; done && i < it->count; i++) {
        struct hcct_merging_source *source = &it->sources[i];
        source->part = &parts[i];
        it->has_estimate |= parts[i].is_estimate;
        source->prefix = malloc(((size_t)parts[i].rows.prefix_count + 1) * sizeof *source->prefix);
        source->column = malloc((columns + 1) * sizeof *source->column);
        source->cell_at = malloc((columns + 1) * sizeof *source->cell_at);
        source->none = malloc((columns + 1) * sizeof *source->none);
        source->is_of_one = malloc((columns + 1) * sizeof *source->is_of_one);
        done = source->prefix && source->column && source->cell_at && source->none && source->is_of_one;
    }
    return done;
}

static void release(struct hcct_merging *it)
{
    for (uint32_t i = 0; it->sources && i < it->count; i++) {
        free(it->sources[i].prefix);
        free(it->sources[i].moved);
        free(it->sources[i].column);
        free(it->sources[i].cell_at);
        free(it->sources[i].none);
        free(it->sources[i].is_of_one);
    }
    for (uint32_t k = 0; it->cells && k < it->to.column_count; k++)
        free(it->cells[k]);
    free(it->sources);
    free(it->cells);
    free(it->cell_count);
    free(it->depth);
}

static bool cut(struct hcct_pool_part *to, const struct hcct_records *strings)
{
    return !to->capacity || to->rows.columns->count <= to->capacity ||
           hcct_rows_cut(&to->rows, strings->fixed.strings, to->capacity);
}

bool hcct_pool_merge(struct hcct_pool_part *to, struct hcct_pool_part *parts, uint32_t count,
                     struct hcct_records *strings)
{
    struct hcct_merging it = { .count = count, .strings = strings };
    *to = (struct hcct_pool_part){ .name = count == 1 ? parts[0].name : 0 };
    for (uint32_t i = 0; i < count; i++) {
        to->profiles =
            parts[i].profiles < UINT32_MAX - to->profiles ? to->profiles + parts[i].profiles : UINT32_MAX;
        to->capacity = parts[i].capacity > to->capacity ? parts[i].capacity : to->capacity;
        to->is_estimate |= parts[i].is_estimate;
    }
    bool done = allocate(&it, parts);
    if (done)
        hcct_merging_add_prefixes(&it);
    done = done && hcct_merging_choose_columns(&it) && hcct_merging_find_chains(&it);
    if (done)
        merge_contexts(&it);
    for (uint32_t i = 0; i < count; i++) /* now: joining takes as much memory as they do */
        hcct_rows_free(&parts[i].rows);
    done = done && hcct_merging_join_columns(&it);
    release(&it);
    to->rows = it.to;
    done = done && cut(to, strings);
    if (!done)
        hcct_rows_free(&to->rows);
    return done;
}
