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

/* The first context of those that were looked at, and who has it. */
struct first {
    struct hcct_file_context context;
    struct hcct_merging_owners owners;
};

/* Whether this one comes first, or is the same. */
static bool is_first(struct first *first, uint32_t prefix, uint64_t word)
{
    const struct hcct_file_context *before = &first->context;
    bool any = first->owners.have | first->owners.moved;
    if (any && (prefix != before->prefix ? prefix > before->prefix : word > before->word))
        return false;
    if (!any || prefix != before->prefix || word != before->word)
        *first = (struct first){ .context = { .word = word, .prefix = prefix } };
    return true;
}

/* The first context of all sources that is left; nobody has it if none is left. */
static struct first find_first(const struct head *heads, uint32_t count)
{
    struct first first = { .owners = { 0 } };
    for (uint32_t i = 0; i < count; i++) {
        const struct head *head = &heads[i];
        if (head->cursor.element && is_first(&first, head->context.prefix, head->context.word))
            first.owners.have |= (uint8_t)(1u << i);
        if (head->moved < head->moved_end && is_first(&first, head->moved->prefix, head->moved->word))
            first.owners.moved |= (uint8_t)(1u << i);
    }
    return first;
}

static bool add_context(struct hcct_merging *it, struct head *heads, const struct first *first)
{
    uint32_t at = it->to.context_count;
    struct hcct_file_context *to = hcct_merging_context(it);
    if (!to || !hcct_vector_grow(&it->owners, &it->owner_room, at, sizeof *it->owners))
        return false;
    *to = first->context;
    it->owners[at] = first->owners;
    for (uint32_t left = first->owners.moved; left; left &= left - 1)
        heads[__builtin_ctz(left)].moved++;
    for (uint32_t left = first->owners.have; left; left &= left - 1) {
        struct head *head = &heads[__builtin_ctz(left)];
        hcct_cursor_next(&head->cursor);
        look(head, &it->sources[__builtin_ctz(left)]);
    }
    return true;
}

static bool add_contexts(struct hcct_merging *it)
{
    struct head heads[HCCT_POOL_WAYS] = { 0 };
    struct first first;
    bool done = true;
    for (uint32_t i = 0; i < it->count; i++) {
        const struct hcct_merging_source *source = &it->sources[i];
        done &= hcct_rows_contexts(&source->part->rows, &heads[i].cursor);
        heads[i].moved = source->moved;
        heads[i].moved_end = source->moved + source->moved_count;
        look(&heads[i], source);
    }
    while (done && (first = find_first(heads, it->count), first.owners.have | first.owners.moved))
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
        free(source->moved);
        free(source->column);
        free(source->none);
        free(source->is_of_one);
    }
    free(it->sources);
    free(it->owners);
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
