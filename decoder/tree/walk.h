/* Walks a calling context tree in the ascending order of the texts of its paths: "a" < "a(int)" < "a;b", byte
 * by byte.
 *
 * Sorting siblings by name is not enough: the paths below `a` begin with "a;", and may come after its sibling
 * "a(int)". So each node is two events among its siblings: its own path, sorted by "name", and what is below
 * it, sorted by "name;". Where names are equal, call sites decide.
 * Cost: O(n log n) comparisons of siblings; no recursion. */
#ifndef HCCT_DECODER_TREE_WALK_H
#define HCCT_DECODER_TREE_WALK_H

#include "decoder/tree/tree.h"

enum hcct_walk_step {
    HCCT_WALK_NODE,  /* the node's own path */
    HCCT_WALK_ENTER, /* its descendants follow */
    HCCT_WALK_LEAVE, /* its descendants have been walked */
    HCCT_WALK_END,
};

struct hcct_walk {
    const struct hcct_tree *tree;
    const struct hcct_frames *frames;
    const char *const *texts; /* per frame; NULL: the frames' names */
    struct hcct_tree_children children;
    uint32_t *events; /* 2 * node, or 2 * node + 1 for ENTER; two per node, at 2 * its place in `children` */
    uint32_t *cursor; /* per node: the next of its children's events */
    uint32_t at;      /* the node whose children are walked; node_count: the roots */
};

void hcct_walk_open(struct hcct_walk *walk, const struct hcct_tree *tree, const struct hcct_frames *frames,
                    const char *const *texts);
enum hcct_walk_step hcct_walk_next(struct hcct_walk *walk, uint32_t *node);
void hcct_walk_close(struct hcct_walk *walk);

/* The siblings a and b by name, then by call site. */
int hcct_walk_compare(const struct hcct_walk *walk, uint32_t a, uint32_t b);

#endif
