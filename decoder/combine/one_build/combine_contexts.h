/* The contexts of a sum of profiles of one build (combine.h), each once, with their chains of pushes; and the
 * pins. Contexts are told apart by word and chain. One without a chain is found by its word alone. */
#ifndef HCCT_DECODER_COMBINE_ONE_BUILD_COMBINE_CONTEXTS_H
#define HCCT_DECODER_COMBINE_ONE_BUILD_COMBINE_CONTEXTS_H

#include <stdbool.h>
#include <stdint.h>

#include "decoder/combine/table.h"
#include "decoder/profile/profile.h"

struct hcct_combine_context {
    uint64_t word;
    uint32_t prefix; /* in `prefixes`, or HCCT_FILE_NONE */
    /* Of estimates from bursts: the profiles that told trials of the context, and the sum of N^2 / trials
     * over them. That is the variance of the summed count, but for a factor that all have. */
    uint32_t told_count;
    double told_variance;
};

struct hcct_combine_contexts {
    struct hcct_combine_context *all;
    struct hcct_table context_table;
    struct hcct_table word_table; /* the first context of each word; */
    bool has_words;               /* from the first context without a chain on */
    uint32_t count, capacity;
    struct hcct_file_prefix *prefixes;
    struct hcct_table prefix_table;
    uint32_t prefix_count, prefix_capacity;
    struct hcct_combine_context *pins; /* as hcct_file_pin, each once */
    struct hcct_table pin_table;
    uint32_t pin_count, pin_capacity;
};

/* Ancestors have smaller indices. */
void hcct_combine_contexts_need_ancestors(const struct hcct_file_prefix *prefixes, uint32_t count,
                                          bool *needed);
/* Interns those of `from` that an entry needs, with their ancestors: map[from's index] is ours. The root is
 * always the first. False when memory is out. */
bool hcct_combine_contexts_map_prefixes(struct hcct_combine_contexts *contexts,
                                        const struct hcct_file_prefix *from, uint32_t count, uint32_t *map,
                                        const bool *needed);
/* The number of a context, whose prefix is one of ours; it is added if new. False when memory is out. */
bool hcct_combine_contexts_add(struct hcct_combine_contexts *contexts,
                               const struct hcct_combine_context *context, uint32_t *number);
/* Adds a pin, once. False when memory is out. */
bool hcct_combine_contexts_add_pin(struct hcct_combine_contexts *contexts, uint64_t word, uint32_t prefix);
/* Fills an empty `to` with the first contexts of `order`, all pins, and the prefixes that they need. False
 * when memory is out. */
bool hcct_combine_contexts_take(struct hcct_combine_contexts *to, const struct hcct_combine_contexts *from,
                                const uint32_t *order, uint32_t count);
void hcct_combine_contexts_free(struct hcct_combine_contexts *contexts);

#endif
