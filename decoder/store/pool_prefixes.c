/* See pool_prefixes.h. */
#include "decoder/store/pool_prefixes.h"

#include <stdlib.h>

#include "decoder/store/table.h"
#include "format/canonical.h"

/* --- prefixes --------------------------------------------------------------------------------------- */

/* The next prefix of a source, as one of the result; false: there is none. */
static bool next_prefix(const struct hcct_merging *it, const struct hcct_merging_source *source,
                        struct hcct_file_prefix *prefix, uint32_t *depth)
{
    if (source->prefix_at == source->part->rows.prefix_count)
        return false;
    *prefix = source->part->rows.prefixes[source->prefix_at];
    *depth = 0;
    if (prefix->parent != HCCT_FILE_NONE) {
        prefix->parent = source->prefix[prefix->parent];
        *depth = it->depth[prefix->parent] + 1;
    }
    return true;
}

static int compare_prefixes(const struct hcct_file_prefix *a, uint32_t a_depth,
                            const struct hcct_file_prefix *b, uint32_t b_depth)
{
    if (a_depth != b_depth)
        return a_depth < b_depth ? -1 : 1;
    if (a->parent != b->parent)
        return a->parent < b->parent ? -1 : 1;
    return hcct_canonical_siblings(a, b);
}

void hcct_merging_add_prefixes(struct hcct_merging *it)
{
    struct hcct_file_prefix prefix, least;
    for (;;) {
        uint32_t depth, least_depth = 0;
        bool any = false;
        for (uint32_t i = 0; i < it->count; i++) {
            if (!next_prefix(it, &it->sources[i], &prefix, &depth))
                continue;
            if (!any || compare_prefixes(&prefix, depth, &least, least_depth) < 0) {
                least = prefix;
                least_depth = depth;
            }
            any = true;
        }
        if (!any)
            return;
        it->to.prefixes[it->to.prefix_count] = least;
        it->depth[it->to.prefix_count] = least_depth;
        for (uint32_t i = 0; i < it->count; i++) {
            struct hcct_merging_source *source = &it->sources[i];
            if (next_prefix(it, source, &prefix, &depth) &&
                !compare_prefixes(&prefix, depth, &least, least_depth))
                source->prefix[source->prefix_at++] = it->to.prefix_count;
        }
        it->to.prefix_count++;
    }
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

static uint32_t chainless_from(const struct hcct_rows *rows)
{
    uint32_t from = rows->context_count;
    while (from && rows->contexts[from - 1].prefix == HCCT_FILE_NONE)
        from--;
    return from;
}

/* The words of all contexts without a chain, and for each the first chain of the result that one has. */
static bool list_words(struct hcct_merging *it, struct hcct_merging_moved **words, struct hcct_table *table)
{
    uint32_t count = 0, capacity = 0;
    bool done = true;
    for (uint32_t i = 0; done && i < it->count; i++) {
        const struct hcct_rows *rows = &it->sources[i].part->rows;
        for (uint32_t k = chainless_from(rows); done && k < rows->context_count; k++) {
            uint64_t word = rows->contexts[k].word;
            if (hcct_table_find(table, hash_word(word), same_word, *words, &word) != HCCT_TABLE_NONE)
                continue;
            done = hcct_vector_grow(words, &capacity, count, sizeof **words);
            if (done)
                (*words)[count] = (struct hcct_merging_moved){ word, HCCT_FILE_NONE, 0 };
            done = done && hcct_table_add(table, hash_word(word), count++);
        }
    }
    for (uint32_t i = 0; done && count && i < it->count; i++) {
        const struct hcct_rows *rows = &it->sources[i].part->rows;
        for (uint32_t k = 0, end = chainless_from(rows); k < end; k++) {
            const struct hcct_file_context *context = &rows->contexts[k];
            uint32_t at = hcct_table_find(table, hash_word(context->word), same_word, *words, &context->word);
            uint32_t prefix = it->sources[i].prefix[context->prefix];
            if (at != HCCT_TABLE_NONE && prefix < (*words)[at].prefix)
                (*words)[at].prefix = prefix;
        }
    }
    return done;
}

static int compare_moved(const void *left, const void *right)
{
    const struct hcct_merging_moved *a = left, *b = right;
    if (a->prefix != b->prefix)
        return a->prefix < b->prefix ? -1 : 1;
    return a->word < b->word ? -1 : a->word > b->word;
}

bool hcct_merging_find_chains(struct hcct_merging *it)
{
    struct hcct_table table = { 0 };
    struct hcct_merging_moved *words = NULL;
    bool done = list_words(it, &words, &table);
    for (uint32_t i = 0; done && i < it->count; i++) {
        struct hcct_merging_source *source = &it->sources[i];
        const struct hcct_rows *rows = &source->part->rows;
        uint32_t from = chainless_from(rows);
        source->moved = malloc(((size_t)rows->context_count - from + 1) * sizeof *source->moved);
        done = source->moved;
        for (uint32_t k = from; done && k < rows->context_count; k++) {
            uint64_t word = rows->contexts[k].word;
            struct hcct_merging_moved moved =
                words[hcct_table_find(&table, hash_word(word), same_word, words, &word)];
            moved.context = k;
            source->moved[source->moved_count++] = moved;
        }
        if (done && source->moved_count)
            qsort(source->moved, source->moved_count, sizeof *source->moved, compare_moved);
    }
    hcct_table_free(&table);
    free(words);
    return done;
}
