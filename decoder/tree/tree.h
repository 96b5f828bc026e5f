/* A calling context tree (a forest: one root per thread's first function) with counts, and the steps that
 * turn the tree of a profile into what is printed.
 *
 *     contexts.h   decodes a profile into a tree by site, which decoded.h has with what is said of it
 *     view.h       groups it by line or function, leaves inlined frames out, and marks what is to be shown
 *     cycles.h     copies what is to be shown, repeated cycles shortened
 *
 * Invariants
 *   1. a node's parent has a smaller index, so every pass over a tree is a loop, forwards or backwards;
 *   2. two children of one parent differ in frame or in site;
 *   3. frames and sites are those of one struct hcct_frames, or HCCT_FRAMES_NONE for no site.
 * No recursion anywhere: a path may have millions of nodes. */
#ifndef HCCT_DECODER_TREE_TREE_H
#define HCCT_DECODER_TREE_TREE_H

#include "decoder/claim/claim.h"
#include "decoder/tree/frames.h"
#include "format/error.h"

#define HCCT_NODE_NONE UINT32_MAX
#define HCCT_NODE_LIMIT (UINT32_C(1) << 28) /* nodes of any tree: more are as if memory were out */

enum hcct_node_flag {
    HCCT_NODE_COUNTED = 1, /* monitored: it has a count and an error */
    HCCT_NODE_HOT = 2,
    HCCT_NODE_SELECTED = 4, /* its count is to be shown */
    HCCT_NODE_KEPT = 8,     /* selected, or an ancestor of a selected one */
    HCCT_NODE_LOST = 16,    /* [unknown], or below it */
};

struct hcct_tree_node {
    uint64_t count;
    uint64_t error;
    uint32_t parent; /* or HCCT_NODE_NONE */
    uint32_t frame;
    uint32_t site;
    uint32_t flags : 8; /* enum hcct_node_flag */
    /* struct hcct_file_cell; at most HCCT_NODE_TRIALS. 0: not known, or the node is the sum of several
     * contexts */
    uint32_t trials : 24;
    /* its number among the contexts whose counts in the single profiles are known (spread.h), plus 1. 0: not
     * known, or the node is the sum of several */
    uint32_t spread;
    uint32_t contexts; /* of the profile that are counted in it */
};

/* The part of a node's count that was sampled at one place in its function's code; of a library's
 * function, where its caller called it. */
struct hcct_tree_spot {
    uint64_t count, error;
    uint32_t node, place; /* hcct_frames.places */
};

#define HCCT_NODE_TRIALS ((1u << 24) - 1)
#define HCCT_TREE_VALUES 24 /* value_count at most */

struct hcct_tree {
    struct hcct_tree_node *nodes;
    uint32_t node_count, node_capacity, node_limit; /* limit 0: none */
    uint64_t lookup_count, lookup_limit;            /* of hcct_tree_child; limit 0: none */
    bool is_over;                                   /* a limit was passed: nodes are missing */
    struct hcct_table table;
    /* What a node has beside its count (a profile of the heap: one for each enum hcct_heap_value, then what
     * was live at each detailed point of the curve): node n has values[n * value_count] and so on. Set
     * value_count before the first node is added. */
    uint64_t *values;
    uint32_t value_count, value_capacity; /* value_capacity: in nodes */
    struct hcct_tree_spot *spots;         /* of a finished tree by node, then by place, each once */
    uint32_t spot_count, spot_capacity;
};

/* Limits the nodes of the tree, and the look-ups, by the size of the files, as a few numbers in a hostile
 * file can mean a huge tree. docs/format.md states the limits. A node_limit other than 0 replaces that of the
 * files. */
void hcct_tree_limit(struct hcct_tree *tree, uint64_t file_bytes, uint32_t node_limit);
/* False, with *error, if a limit was passed. Whoever makes a tree that has limits asks in the end, and before
 * if that would take long. */
bool hcct_tree_fits(const struct hcct_tree *tree, struct hcct_error *error);

/* The child of `parent` (HCCT_NODE_NONE: a root) with that frame and site, added if new. Past a limit it is
 * any node. */
uint32_t hcct_tree_child(struct hcct_tree *tree, uint32_t parent, uint32_t frame, uint32_t site);
/* The same for a child that is known to be new, and without a limit; hcct_tree_child does not find it. */
uint32_t hcct_tree_append(struct hcct_tree *tree, uint32_t parent, uint32_t frame, uint32_t site);
/* The tree is whole: gives back what only hcct_tree_child needs, which is not called any more; orders
 * spots. */
void hcct_tree_finish(struct hcct_tree *tree);
/* The same of spots alone. */
void hcct_tree_order_spots(struct hcct_tree *tree);
/* From then on hcct_tree_child finds, and adds without a limit, the nodes of that frame and their children
 * only. */
void hcct_tree_reopen(struct hcct_tree *tree, uint32_t frame);

/* The order of two numbers, as comparing functions tell it. */
static inline int hcct_tree_order(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

/* What a node adds to a sum: 0 where it is not monitored. */
static inline uint64_t hcct_tree_low(const struct hcct_tree_node *node)
{
    return node->flags & HCCT_NODE_COUNTED ? hcct_claim_low(node->count, node->error) : 0;
}

/* What contexts with less than `hot` have, and what no context has. With 0: what N leaves when the lower
 * bounds of all contexts are taken from it. */
static inline uint64_t hcct_tree_cold(const struct hcct_tree *tree, uint64_t calls, uint64_t hot)
{
    for (uint32_t i = 0; i < tree->node_count && calls; i++) {
        uint64_t low = tree->nodes[i].count >= hot ? hcct_tree_low(&tree->nodes[i]) : 0;
        calls -= low < calls ? low : calls;
    }
    return calls;
}

/* Adds count, error and flags of one node to another. */
void hcct_tree_add(struct hcct_tree_node *to, const struct hcct_tree_node *from);
/* Adds values[0] and so on to those of a node. */
void hcct_tree_add_values(struct hcct_tree *tree, uint32_t node, const uint64_t *values);
/* Adds a spot, whose node is there. */
void hcct_tree_add_spot(struct hcct_tree *tree, const struct hcct_tree_spot *spot);
/* The first spot of that node or behind it. */
uint32_t hcct_tree_first_spot(const struct hcct_tree *tree, uint32_t node);
/* Adds a node of another tree, which is finished, and its spots; and its values if both trees have some. */
void hcct_tree_take(struct hcct_tree *to, uint32_t node, const struct hcct_tree *from, uint32_t taken);

static inline uint64_t *hcct_tree_values(const struct hcct_tree *tree, uint32_t node)
{
    return tree->values + (size_t)node * tree->value_count;
}
/* Has values no longer. */
void hcct_tree_drop_values(struct hcct_tree *tree);

void hcct_tree_free(struct hcct_tree *tree);

#define HCCT_TREE_TEXT_BYTES 16 /* of "[xN]" */

/* What is shown of a node: "[xN]" of a repeated cycle (in `buffer`), else texts[frame], or, where `texts` is
 * NULL, the frame's name, which must have been made. */
const char *hcct_tree_text(const struct hcct_frames *frames, const struct hcct_tree_node *node,
                           const char *const *texts, char buffer[HCCT_TREE_TEXT_BYTES]);

/* Children of a node, the roots as those of node_count: child[first[n]] to child[first[n + 1] - 1], in the
 * order of their indices. */
struct hcct_tree_children {
    uint32_t *first; /* [node_count + 2] */
    uint32_t *child; /* [node_count] */
};
void hcct_tree_children_build(const struct hcct_tree *tree, struct hcct_tree_children *children);
void hcct_tree_children_free(struct hcct_tree_children *children);

#endif
