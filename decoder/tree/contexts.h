/* Decodes the entries of profiles into one calling context tree by site.
 *
 * An entry names (word, prefix). word - h(prefix) is an id of the numbering: it tells the function and,
 * walked back over the encoded edges, the calls since the last push; the prefix tells the push, whose own
 * context is again a word and a prefix, and so on to the root. Each (word, prefix) and each prefix is decoded
 * once.
 * Cost: O(nodes of the tree + entries), no recursion.
 *
 * What cannot be decoded is never guessed: an unknown caller becomes the frame [unknown], an entry whose own
 * word means nothing is counted as undecodable and has no node. */
#ifndef HCCT_DECODER_TREE_CONTEXTS_H
#define HCCT_DECODER_TREE_CONTEXTS_H

#include "decoder/profile/reader.h"
#include "decoder/tree/tree.h"

struct hcct_context {
    uint64_t word;
    uint32_t prefix;
    uint32_t node;
};

struct hcct_contexts {
    const struct hcct_profile *profile;
    struct hcct_frames *frames;
    struct hcct_tree *tree;
    uint64_t lost_count; /* prefixes whose push could not be decoded: what is above them is [unknown] */
    /* What the profile's elements are in `frames`, filled on first use. */
    uint32_t *function_frame, *site_site, *callee_frame;
    /* Per prefix: where the function that was entered hangs, and by which site. */
    uint32_t *attach_node, *attach_site;
    /* per prefix, where recursion is folded: the first one of its site on its path, maybe itself; else
     * NULL */
    uint32_t *folded;
    /* The contexts met so far. */
    struct hcct_context *known;
    uint32_t known_count, known_capacity;
    struct hcct_table known_table;
    /* Scratch: the edges of one id's path, a chain of prefixes, the inlined frames of one site. */
    uint32_t *path, *chain, *inlined;
    uint32_t path_capacity, chain_capacity, inlined_capacity;
};

/* Everything is borrowed. False when memory is out. */
bool hcct_contexts_open(struct hcct_contexts *contexts, const struct hcct_profile *profile,
                        struct hcct_frames *frames, struct hcct_tree *tree);
void hcct_contexts_close(struct hcct_contexts *contexts);

enum hcct_context_result {
    HCCT_CONTEXT_FOUND,
    HCCT_CONTEXT_UNDECODABLE, /* the word means nothing with that prefix */
    HCCT_CONTEXT_MEMORY,
};

/* The hash h of a prefix, from which the words below it are made. */
uint64_t hcct_contexts_prefix_hash(const struct hcct_profile *profile, uint32_t prefix);

/* The tree's node of a context; with an id of 0, that of the code that is not instrumented, which the push
 * called. */
enum hcct_context_result hcct_contexts_node(struct hcct_contexts *contexts, uint64_t word, uint32_t prefix,
                                            uint32_t *node);

#endif
