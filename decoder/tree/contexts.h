/* Decodes the contexts of a profile into a calling context tree by call site.
 *
 * A context is (word, prefix). word - h(prefix) is an id of the numbering. The id names the function, and
 * walked back over the encoded edges it gives the calls since the last push. The prefix names that push,
 * whose own context is a word and a prefix again, and so on to the root. Each (word, prefix) and each prefix
 * is walked through once.
 * Cost: O(nodes of the tree + contexts), no recursion.
 *
 * Nothing is guessed. Where a push cannot be decoded, the path begins with the frame [unknown]. Where a
 * context's own word has no meaning, it has no node, and the caller counts it as undecodable. */
#ifndef HCCT_DECODER_TREE_CONTEXTS_H
#define HCCT_DECODER_TREE_CONTEXTS_H

#include "decoder/store/profile.h"
#include "decoder/store/threads.h"
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
    uint64_t lost_count; /* prefixes whose push could not be decoded; their paths begin with [unknown] */
    /* The frames and sites of the profile's elements, filled on first use. */
    uint32_t *function_frame, *site_site, *callee_frame;
    uint64_t *leaf_sites; /* per object, of a leaf of this name */
    /* Per prefix: the node below which the function that the push entered hangs, and the site of the call. */
    uint32_t *attach_node, *attach_site;
    struct hcct_threads threads;
    /* Per prefix, where recursion is folded: the first prefix of the same site on its path, which may be
     * itself. NULL where recursion is not folded. */
    uint32_t *folded;
    /* The contexts that have callees, as far as they were met. */
    struct hcct_context *known;
    uint32_t known_count, known_capacity;
    struct hcct_table known_table;
    /* Scratch memory: the edges of an id's path, a chain of prefixes, the inlined frames of a site. */
    uint32_t *path, *chain, *inlined;
    uint32_t path_capacity, chain_capacity, inlined_capacity;
};

/* Profile, frames and tree stay the caller's, and outlive `contexts`. */
void hcct_contexts_open(struct hcct_contexts *contexts, const struct hcct_profile *profile,
                        struct hcct_frames *frames, struct hcct_tree *tree);
void hcct_contexts_close(struct hcct_contexts *contexts);

/* The frame of a function of the profile. */
uint32_t hcct_contexts_function(struct hcct_contexts *contexts, uint32_t index);
/* Adds to frames what their functions have beside contexts. */
void hcct_contexts_add_evicted(struct hcct_contexts *contexts);

/* The tree's node of a context, added if new; HCCT_NODE_NONE: the word means nothing with that prefix, or a
 * limit of the tree is passed. An id of 0 means the code that the push called and that is not
 * instrumented. */
uint32_t hcct_contexts_node(struct hcct_contexts *contexts, uint64_t word, uint32_t prefix);

/* Where samples with that prefix were taken (hcct_frames.places); HCCT_FRAMES_NONE: not known. */
uint32_t hcct_contexts_place(struct hcct_contexts *contexts, uint32_t prefix);

#endif
