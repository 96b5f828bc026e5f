/* See pool_merge.h: sorted lists of prefixes, then of contexts, then the cells of each column. Each list is
 * read from its first element to its last one, so sources and the result may be in files; which source has
 * what of the result is a bit each (members.h). */
#include "decoder/store/pool_merge.h"

#include <stdlib.h>

#include "decoder/store/pool_columns.h"
#include "decoder/store/pool_merging.h"
#include "decoder/store/pool_prefixes.h"

/* --- contexts --------------------------------------------------------------------------------------- */

/* The next contexts of a source, as those of the result: one with its chain, and one that was moved. */
struct head {
    struct hcct_cursor cursor;
    struct hcct_members_walk prefixes; /* they ascend */
    struct hcct_file_context context;
    const struct hcct_merging_moved *moved, *moved_end;
};

static bool is_before(uint32_t prefix, uint64_t word, const struct hcct_file_context *other)
{
    return prefix != other->prefix ? prefix < other->prefix : word < other->word;
}

/* The context that the cursor is at; those without a chain are the last ones. */
static void look(struct head *head, const struct hcct_merging_source *source)
{
    const struct hcct_file_context *context = head->cursor.element;
    if (!context || context->prefix == HCCT_FILE_NONE) {
        head->cursor.element = NULL;
        return;
    }
    head->context = (struct hcct_file_context){
        .word = context->word, .prefix = hcct_members_at(&source->prefixes, &head->prefixes, context->prefix)
    };
}

/* The first context of all sources that is left. */
static bool find_first(const struct head *heads, uint32_t count, struct hcct_file_context *first)
{
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        const struct head *head = &heads[i];
        if (head->cursor.element && (!any || is_before(head->context.prefix, head->context.word, first))) {
            *first = head->context;
            any = true;
        }
        if (head->moved < head->moved_end &&
            (!any || is_before(head->moved->prefix, head->moved->word, first))) {
            *first = (struct hcct_file_context){ .word = head->moved->word, .prefix = head->moved->prefix };
            any = true;
        }
    }
    return any;
}

static bool is_same(uint32_t prefix, uint64_t word, const struct hcct_file_context *other)
{
    return prefix == other->prefix && word == other->word;
}

static bool add_context(struct hcct_merging *it, struct head *heads, const struct hcct_file_context *first)
{
    struct hcct_file_context *to = hcct_merging_context(it);
    bool done = to;
    if (to)
        *to = *first;
    for (uint32_t i = 0; done && i < it->count; i++) {
        struct hcct_merging_source *source = &it->sources[i];
        struct head *head = &heads[i];
        bool has = head->cursor.element && is_same(head->context.prefix, head->context.word, first),
             moves = head->moved < head->moved_end && is_same(head->moved->prefix, head->moved->word, first);
        done = hcct_members_add(&source->contexts, has) &&
               (!source->moved_count || hcct_members_add(&source->moved_contexts, moves));
        head->moved += moves;
        if (!has)
            continue;
        hcct_cursor_next(&head->cursor);
        look(head, source);
    }
    return done;
}

static bool add_contexts(struct hcct_merging *it)
{
    struct head heads[HCCT_POOL_WAYS] = { 0 };
    struct hcct_file_context first = { .word = 0 };
    bool done = true;
    for (uint32_t i = 0; i < it->count; i++) {
        const struct hcct_merging_source *source = &it->sources[i];
        done &= hcct_rows_contexts(&source->part->rows, &heads[i].cursor);
        heads[i].moved = source->moved;
        heads[i].moved_end = source->moved + source->moved_count;
        look(&heads[i], source);
    }
    while (done && find_first(heads, it->count, &first))
        done = add_context(it, heads, &first);
    for (uint32_t i = 0; i < it->count; i++) {
        done &= !heads[i].cursor.failed;
        hcct_cursor_close(&heads[i].cursor);
    }
    return done;
}

/* --- the whole -------------------------------------------------------------------------------------- */

static bool allocate(struct hcct_merging *it, struct hcct_pool_part *parts)
{
    size_t columns = 4;
    for (uint32_t i = 0; i < it->count; i++)
        columns += parts[i].rows.column_count;
    it->to.columns = malloc((columns + 1) * sizeof *it->to.columns);
    it->sources = calloc(it->count, sizeof *it->sources);
    bool done = it->to.columns && it->sources;
    if (!it->file) /* no array of the result is NULL */
        done = hcct_vector_grow(&it->to.prefixes, &it->room[0], 0, sizeof *it->to.prefixes) &&
               hcct_vector_grow(&it->to.contexts, &it->room[1], 0, sizeof *it->to.contexts) &&
               hcct_vector_grow(&it->to.cells, &it->room[2], 0, sizeof *it->to.cells) && done;
    for (uint32_t i = 0; done && i < it->count; i++) {
        struct hcct_merging_source *source = &it->sources[i];
        source->part = &parts[i];
        it->has_estimate |= parts[i].is_estimate;
        source->column = malloc((columns + 1) * sizeof *source->column);
        source->none = malloc((columns + 1) * sizeof *source->none);
        source->is_of_one = malloc((columns + 1) * sizeof *source->is_of_one);
        done = source->column && source->none && source->is_of_one;
    }
    return done;
}

static void release(struct hcct_merging *it)
{
    for (uint32_t i = 0; it->sources && i < it->count; i++) {
        struct hcct_merging_source *source = &it->sources[i];
        hcct_members_free(&source->prefixes);
        hcct_members_free(&source->contexts);
        hcct_members_free(&source->moved_contexts);
        free(source->moved);
        free(source->column);
        free(source->none);
        free(source->is_of_one);
    }
    free(it->sources);
}

/* A section of the result, whose elements `add` makes. */
static bool add_section(struct hcct_merging *it, enum hcct_file_kind kind, size_t element_bytes,
                        bool (*add)(struct hcct_merging *it))
{
    if (it->file)
        hcct_section_open_packed(it->file, kind, (uint32_t)element_bytes);
    bool done = add(it);
    if (it->file)
        hcct_section_close(it->file);
    return done && !(it->file && it->file->failed);
}

static bool merge(struct hcct_merging *it)
{
    hcct_merging_choose_columns(it);
    return add_section(it, HCCT_FILE_PREFIXES, sizeof *it->to.prefixes, hcct_merging_add_prefixes) &&
           hcct_merging_find_chains(it) &&
           add_section(it, HCCT_FILE_CONTEXTS, sizeof *it->to.contexts, add_contexts) &&
           add_section(it, HCCT_FILE_CELLS, sizeof *it->to.cells, hcct_merging_add_cells);
}

static bool cut(struct hcct_pool_part *to, struct hcct_records *records)
{
    return !to->capacity || to->rows.columns->count <= to->capacity ||
           hcct_rows_cut(&to->rows, records, to->capacity);
}

bool hcct_pool_merge(struct hcct_pool_part *to, struct hcct_pool_part *parts, uint32_t count,
                     struct hcct_records *strings, struct hcct_section_writer *file)
{
    struct hcct_merging it = { .count = count, .strings = strings, .file = file };
    *to = (struct hcct_pool_part){ .name = count == 1 ? parts[0].name : 0 };
    for (uint32_t i = 0; i < count; i++) {
        to->profiles =
            parts[i].profiles < UINT32_MAX - to->profiles ? to->profiles + parts[i].profiles : UINT32_MAX;
        to->capacity = parts[i].capacity > to->capacity ? parts[i].capacity : to->capacity;
        to->is_estimate |= parts[i].is_estimate;
        to->lacks_spread |= parts[i].lacks_spread;
    }
    bool done = allocate(&it, parts) && merge(&it);
    for (uint32_t i = 0; i < count; i++)
        hcct_rows_free(&parts[i].rows);
    release(&it);
    to->rows = it.to;
    done = done && (file || cut(to, strings));
    if (!done)
        hcct_rows_free(&to->rows);
    return done;
}
