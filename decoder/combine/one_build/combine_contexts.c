#include "decoder/combine/one_build/combine_contexts.h"

#include <stdlib.h>
#include <string.h>

static uint32_t hash_prefix(const struct hcct_file_prefix *prefix)
{
    return (uint32_t)hcct_hash_step(hcct_hash_step(hcct_hash_step(prefix->kind, prefix->word), prefix->site),
                                    prefix->parent);
}

static bool same_prefix(const void *array, uint32_t index, const void *key)
{
    const struct hcct_file_prefix *a = &((const struct hcct_file_prefix *)array)[index], *b = key;
    return a->word == b->word && a->site == b->site && a->parent == b->parent && a->kind == b->kind;
}

/* The index of that prefix, added if new, or HCCT_FILE_NONE when memory is out. Its parent is one of ours. */
static uint32_t intern_prefix(struct hcct_combine_contexts *contexts, const struct hcct_file_prefix *prefix)
{
    uint32_t hash = hash_prefix(prefix);
    uint32_t found = hcct_table_find(&contexts->prefix_table, hash, same_prefix, contexts->prefixes, prefix);
    if (found != HCCT_TABLE_NONE)
        return found;
    void *room = hcct_vector_reserve(contexts->prefixes, &contexts->prefix_capacity, contexts->prefix_count,
                                     sizeof *prefix);
    if (!room)
        return HCCT_FILE_NONE;
    contexts->prefixes = room;
    if (!hcct_table_add(&contexts->prefix_table, hash, contexts->prefix_count))
        return HCCT_FILE_NONE;
    contexts->prefixes[contexts->prefix_count] = *prefix;
    return contexts->prefix_count++;
}

bool hcct_combine_contexts_map_prefixes(struct hcct_combine_contexts *contexts,
                                        const struct hcct_file_prefix *from, uint32_t count, uint32_t *map,
                                        const bool *needed)
{
    for (uint32_t i = 0; i < count; i++) {
        struct hcct_file_prefix prefix = from[i];
        map[i] = HCCT_FILE_NONE;
        if (i && !needed[i])
            continue;
        if (!i) /* nothing else in it means anything, and there is one */
            prefix = (struct hcct_file_prefix){ .parent = HCCT_FILE_NONE, .kind = HCCT_PREFIX_ROOT };
        if (prefix.parent != HCCT_FILE_NONE)
            prefix.parent = map[prefix.parent];
        map[i] = intern_prefix(contexts, &prefix);
        if (map[i] == HCCT_FILE_NONE)
            return false;
    }
    return true;
}

void hcct_combine_contexts_need_ancestors(const struct hcct_file_prefix *prefixes, uint32_t count,
                                          bool *needed)
{
    for (uint32_t i = count; i-- > 1;)
        if (needed[i] && prefixes[i].parent != HCCT_FILE_NONE)
            needed[prefixes[i].parent] = true;
}

static uint32_t hash_word(uint64_t word)
{
    return (uint32_t)hcct_hash_step(0, word);
}

static uint32_t hash_context(const struct hcct_combine_context *context)
{
    return (uint32_t)hcct_hash_step(hcct_hash_step(context->prefix, context->word), context->word >> 32);
}

static bool same_context(const void *array, uint32_t index, const void *key)
{
    const struct hcct_combine_context *a = &((const struct hcct_combine_context *)array)[index], *b = key;
    return a->word == b->word && a->prefix == b->prefix;
}

static bool same_word(const void *array, uint32_t index, const void *key)
{
    const struct hcct_combine_context *a = &((const struct hcct_combine_context *)array)[index], *b = key;
    return a->word == b->word;
}

static bool add_word(struct hcct_combine_contexts *contexts, uint32_t number)
{
    const struct hcct_combine_context *context = &contexts->all[number];
    uint32_t hash = hash_word(context->word);
    return hcct_table_find(&contexts->word_table, hash, same_word, contexts->all, context) !=
               HCCT_TABLE_NONE ||
           hcct_table_add(&contexts->word_table, hash, number);
}

/* Most sums need no words: only contexts without a chain are found by them. */
static bool begin_words(struct hcct_combine_contexts *contexts)
{
    bool done = true;
    for (uint32_t i = 0; done && !contexts->has_words && i < contexts->count; i++)
        done = add_word(contexts, i);
    contexts->has_words = done;
    return done;
}

/* The number of a context, or HCCT_TABLE_NONE. One whose chain was not recorded is found by its word
 * alone. */
static uint32_t find_context(const struct hcct_combine_contexts *contexts,
                             const struct hcct_combine_context *context)
{
    if (context->prefix == HCCT_FILE_NONE)
        return hcct_table_find(&contexts->word_table, hash_word(context->word), same_word, contexts->all,
                               context);
    return hcct_table_find(&contexts->context_table, hash_context(context), same_context, contexts->all,
                           context);
}

bool hcct_combine_contexts_add(struct hcct_combine_contexts *contexts,
                               const struct hcct_combine_context *context, uint32_t *number)
{
    if (context->prefix == HCCT_FILE_NONE && !begin_words(contexts))
        return false;
    *number = find_context(contexts, context);
    if (*number != HCCT_TABLE_NONE)
        return true;
    uint32_t known = HCCT_TABLE_NONE;
    if (contexts->has_words)
        known = hcct_table_find(&contexts->word_table, hash_word(context->word), same_word, contexts->all,
                                context);
    if (known != HCCT_TABLE_NONE && contexts->all[known].prefix == HCCT_FILE_NONE) {
        contexts->all[ *number = known].prefix = context->prefix; /* now the chain is known */
        return hcct_table_add(&contexts->context_table, hash_context(context), known);
    }
    void *room = hcct_vector_reserve(contexts->all, &contexts->capacity, contexts->count, sizeof *context);
    if (!room)
        return false;
    contexts->all = room;
    *number = contexts->count++;
    contexts->all[*number] = *context;
    return (!contexts->has_words || add_word(contexts, *number)) &&
           (context->prefix == HCCT_FILE_NONE ||
            hcct_table_add(&contexts->context_table, hash_context(context), *number));
}

bool hcct_combine_contexts_add_pin(struct hcct_combine_contexts *contexts, uint64_t word, uint32_t prefix)
{
    struct hcct_combine_context pin = { .word = word, .prefix = prefix };
    uint32_t hash = hash_context(&pin);
    if (hcct_table_find(&contexts->pin_table, hash, same_context, contexts->pins, &pin) != HCCT_TABLE_NONE)
        return true;
    void *room =
        hcct_vector_reserve(contexts->pins, &contexts->pin_capacity, contexts->pin_count, sizeof pin);
    if (!room)
        return false;
    contexts->pins = room;
    contexts->pins[contexts->pin_count] = pin;
    return hcct_table_add(&contexts->pin_table, hash, contexts->pin_count++);
}

bool hcct_combine_contexts_take(struct hcct_combine_contexts *to, const struct hcct_combine_contexts *from,
                                const uint32_t *order, uint32_t count)
{
    uint32_t *map = malloc(((size_t)from->prefix_count + 1) * sizeof *map);
    bool *needed = calloc((size_t)from->prefix_count + 1, sizeof *needed);
    bool done = map && needed;
    for (uint32_t i = 0; done && i < count; i++)
        if (from->all[order[i]].prefix != HCCT_FILE_NONE)
            needed[from->all[order[i]].prefix] = true;
    for (uint32_t i = 0; done && i < from->pin_count; i++)
        needed[from->pins[i].prefix] = true;
    if (done)
        hcct_combine_contexts_need_ancestors(from->prefixes, from->prefix_count, needed);
    done = done && hcct_combine_contexts_map_prefixes(to, from->prefixes, from->prefix_count, map, needed);
    for (uint32_t i = 0, number; done && i < count; i++) {
        struct hcct_combine_context context = from->all[order[i]];
        if (context.prefix != HCCT_FILE_NONE)
            context.prefix = map[context.prefix];
        done = hcct_combine_contexts_add(to, &context, &number) && number == i;
    }
    for (uint32_t i = 0; done && i < from->pin_count; i++)
        done = hcct_combine_contexts_add_pin(to, from->pins[i].word, map[from->pins[i].prefix]);
    free(map);
    free(needed);
    return done;
}

void hcct_combine_contexts_free(struct hcct_combine_contexts *contexts)
{
    free(contexts->all);
    free(contexts->prefixes);
    free(contexts->pins);
    hcct_table_free(&contexts->pin_table);
    hcct_table_free(&contexts->context_table);
    hcct_table_free(&contexts->word_table);
    hcct_table_free(&contexts->prefix_table);
}
