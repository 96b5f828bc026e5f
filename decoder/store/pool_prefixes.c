/* See pool_prefixes.h. */
#include "decoder/store/pool_prefixes.h"

#include <stdlib.h>

#include "decoder/store/table.h"
#include "format/canonical.h"

/* --- prefixes --------------------------------------------------------------------------------------- */

/* The next prefix of a source. */
struct head {
    struct hcct_cursor cursor;
    struct hcct_members_walk parents; /* they ascend */
    uint32_t depth, depth_start;      /* the index of the source's first prefix of that depth */
    struct hcct_file_prefix prefix;   /* its parent is one of the result */
};

/* Of the prefix that the cursor is at. */
static void look(struct head *head, const struct hcct_members *members)
{
    if (!head->cursor.element)
        return;
    head->prefix = *(const struct hcct_file_prefix *)head->cursor.element;
    uint32_t parent = head->prefix.parent;
    if (parent == HCCT_FILE_NONE)
        return;
    if (parent >= head->depth_start) {
        head->depth++;
        head->depth_start = head->cursor.index;
    }
    head->prefix.parent = hcct_members_at(members, &head->parents, parent);
}

static int compare_heads(const struct head *a, const struct head *b)
{
    if (a->depth != b->depth)
        return a->depth < b->depth ? -1 : 1;
    if (a->prefix.parent != b->prefix.parent)
        return a->prefix.parent + 1 < b->prefix.parent + 1 ? -1 : 1; /* NONE is the first */
    return hcct_canonical_siblings(&a->prefix, &b->prefix);
}

static const struct head *first_of(const struct head *heads, uint32_t count)
{
    const struct head *first = NULL;
    for (uint32_t i = 0; i < count; i++)
        if (heads[i].cursor.element && (!first || compare_heads(&heads[i], first) < 0))
            first = &heads[i];
    return first;
}

static bool add_prefix(struct hcct_merging *it, struct head *heads, const struct head *first)
{
    struct hcct_file_prefix *to = hcct_merging_prefix(it);
    bool done = to, has[HCCT_POOL_WAYS];
    if (to)
        *to = first->prefix;
    for (uint32_t i = 0; i < it->count; i++) /* before any of them moves on, as one is the first */
        has[i] = &heads[i] == first || (heads[i].cursor.element && !compare_heads(&heads[i], first));
    for (uint32_t i = 0; done && i < it->count; i++) {
        struct hcct_members *members = &it->sources[i].prefixes;
        done = hcct_members_add(members, has[i]);
        if (!done || !has[i])
            continue;
        hcct_cursor_next(&heads[i].cursor);
        look(&heads[i], members);
    }
    return done;
}

bool hcct_merging_add_prefixes(struct hcct_merging *it)
{
    struct head heads[HCCT_POOL_WAYS] = { 0 };
    const struct head *first;
    bool done = true;
    for (uint32_t i = 0; i < it->count; i++) {
        done &= hcct_rows_prefixes(&it->sources[i].part->rows, &heads[i].cursor);
        look(&heads[i], &it->sources[i].prefixes);
    }
    while (done && (first = first_of(heads, it->count)))
        done = add_prefix(it, heads, first);
    for (uint32_t i = 0; i < it->count; i++) {
        done &= !heads[i].cursor.failed;
        hcct_cursor_close(&heads[i].cursor);
    }
    return done;
}

/* --- contexts without a chain ------------------------------------------------------------------------ */

static bool same_word(const void *moved, uint32_t index, const void *key)
{
    return ((const struct hcct_merging_moved *)moved)[index].word == *(const uint64_t *)key;
}

static uint32_t hash_word(uint64_t word)
{
    return (uint32_t)hcct_hash_step(0, word);
}

/* The words of all contexts without a chain. */
static bool list_words(const struct hcct_merging *it, struct hcct_merging_moved **words, uint32_t *count,
                       struct hcct_table *table)
{
    uint32_t capacity = 0;
    bool done = true;
    for (uint32_t i = 0; done && i < it->count; i++) {
        const struct hcct_rows *rows = &it->sources[i].part->rows;
        for (uint32_t k = hcct_rows_chainless(rows); done && k < rows->context_count; k++) {
            uint64_t word = rows->contexts[k].word;
            if (hcct_table_find(table, hash_word(word), same_word, *words, &word) != HCCT_TABLE_NONE)
                continue;
            done = hcct_vector_grow(words, &capacity, *count, sizeof **words);
            if (done)
                (*words)[*count] = (struct hcct_merging_moved){ word, HCCT_FILE_NONE, 0 };
            done = done && hcct_table_add(table, hash_word(word), (*count)++);
        }
    }
    return done;
}

/* The first chain of the result that a context of the source has, for each of the words. */
static bool find_words(const struct hcct_merging_source *source, struct hcct_merging_moved *words,
                       const struct hcct_table *table)
{
    struct hcct_cursor cursor;
    struct hcct_members_walk walk = { 0 };
    uint32_t chainless = hcct_rows_chainless(&source->part->rows);
    bool done = hcct_rows_contexts(&source->part->rows, &cursor);
    for (; cursor.element && cursor.index < chainless; hcct_cursor_next(&cursor)) {
        const struct hcct_file_context *context = cursor.element;
        uint32_t at = hcct_table_find(table, hash_word(context->word), same_word, words, &context->word);
        uint32_t prefix = hcct_members_at(&source->prefixes, &walk, context->prefix);
        if (at != HCCT_TABLE_NONE && prefix < words[at].prefix)
            words[at].prefix = prefix;
    }
    done &= !cursor.failed;
    hcct_cursor_close(&cursor);
    return done;
}

static int compare_moved(const void *left, const void *right)
{
    const struct hcct_merging_moved *a = left, *b = right;
    if (a->prefix != b->prefix)
        return a->prefix < b->prefix ? -1 : 1;
    return a->word < b->word ? -1 : a->word > b->word;
}

/* The source's contexts without a chain, in the order of the result. */
static bool move(struct hcct_merging_source *source, const struct hcct_merging_moved *words,
                 const struct hcct_table *table)
{
    const struct hcct_rows *rows = &source->part->rows;
    uint32_t from = hcct_rows_chainless(rows);
    source->moved = malloc(((size_t)rows->context_count - from + 1) * sizeof *source->moved);
    for (uint32_t k = from; source->moved && k < rows->context_count; k++) {
        uint64_t word = rows->contexts[k].word;
        struct hcct_merging_moved moved =
            words[hcct_table_find(table, hash_word(word), same_word, words, &word)];
        moved.context = k;
        source->moved[source->moved_count++] = moved;
    }
    if (source->moved_count)
        qsort(source->moved, source->moved_count, sizeof *source->moved, compare_moved);
    return source->moved;
}

/* Of a context that gets a chain, the functions of its profile have the calls, too. Those that get none are
 * the last ones. */
static void take_from_functions(const struct hcct_merging *it, const struct hcct_merging_source *source)
{
    const struct hcct_rows *rows = &source->part->rows;
    const struct hcct_file_column *first = rows->columns;
    for (uint32_t i = 0; i < source->moved_count && source->moved[i].prefix != HCCT_FILE_NONE; i++) {
        const struct hcct_merging_moved *moved = &source->moved[i];
        if (it->file) { /* the chains of the result are there already */
            hcct_records_drop_evicted(it->strings);
            return;
        }
        const struct hcct_file_cell *cell =
            hcct_cells_find(rows->cells + first->first, first->count, moved->context);
        if (cell)
            hcct_records_take_calls(it->strings, moved->word - hcct_rows_prefix_hash(&it->to, moved->prefix),
                                    cell->count - cell->error);
    }
}

bool hcct_merging_find_chains(struct hcct_merging *it)
{
    struct hcct_table table = { 0 };
    struct hcct_merging_moved *words = NULL;
    uint32_t count = 0;
    bool done = list_words(it, &words, &count, &table);
    for (uint32_t i = 0; done && count && i < it->count; i++)
        done = find_words(&it->sources[i], words, &table);
    for (uint32_t i = 0; done && i < it->count; i++)
        done = move(&it->sources[i], words, &table);
    for (uint32_t i = 0; done && i < it->count; i++)
        take_from_functions(it, &it->sources[i]);
    hcct_table_free(&table);
    free(words);
    return done;
}
