/* The difference of two profiles, of two runs or of two builds of a program, context by context.
 *
 * In one build a context is a path of functions and call sites, which are the same on both sides; lines are
 * only shown, those of the side that knows more of them. Between two builds a context is a path of functions
 * and lines. Lines move, and functions are added, removed, renamed or moved. So the two trees are matched
 * from the root downwards (diff_match.c):
 *
 *   1. The children of two matched nodes, in the order of their lines, are aligned so that the sum of the
 *      scores of the matches is largest. Children match if their names are equal. The score rises with what
 *      their subtrees have in common, and if they are called in the same line. Which line of one build is
 *      which of the other, the alignment of the caller's calls tells (diff_lines.c); otherwise lines are
 *      counted from the caller's first one. What the alignment leaves over matches in any order, best score
 *      first.
 *   2. The same again for what is left over, if the names are equal without parameters and template
 *      arguments.
 *   3. What is then left over matches whatever the names, if the subtrees are alike by half or more:
 *      functions that were renamed, so that the other build has no such name, and those whose name or callers
 *      are lost. A new name found so counts as equal from then on, everywhere.
 *   4. Nodes left over anywhere match by equal names if their nearest matched ancestors are a pair (a
 *      function was added or removed in between), or if their subtrees are alike by half or more (they moved
 *      to another caller).
 *
 * What two subtrees have in common is computed from the sets of functions in them: their Jaccard index, or
 * the share of the smaller set that is in the other one (a bounded profile lacks some). Sets of up to
 * HCCT_DIFF_SKETCH functions are kept whole, of larger ones the smallest hashes (bottom-k sketches; Cohen and
 * Kaplan, "Summarizing data using bottom-k sketches", 2007).
 *
 * A frame that was inlined in one build only is one node; its counts are not compared.
 *
 * Bounds: a context's true count is within [low, high] on each side. low is count - error. high is count,
 * plus a floor for each context that the other side has monitored beyond those of this side (one path may be
 * several contexts: call sites share a line, or a filter hides what tells them apart), plus what the side
 * dropped or could not place. A change is beyond both error bounds if the two ranges do not meet. The change
 * is the difference of the counts. A side without a count takes the value in its range that is nearest to the
 * other's.
 *
 * Estimates from samples or bursts have no such ranges. Chance may have made any change, so none is beyond.
 *
 * Cost: O(nodes * HCCT_DIFF_SKETCH). Between two builds also the product of the numbers of children of each
 * pair, up to HCCT_DIFF_ALIGN_LIMIT; above that only names and lines decide. No recursion. */
#ifndef HCCT_DECODER_COMPARE_DIFF_H
#define HCCT_DECODER_COMPARE_DIFF_H

#include "decoder/claim/claim.h"
#include "decoder/compare/diff_side.h"
#include "decoder/query/query.h"
#include "decoder/store/pool.h"

enum hcct_diff_kind {
    HCCT_DIFF_BOTH,
    HCCT_DIFF_MOVED, /* in both, but with another name, or below ancestors that do not match */
    HCCT_DIFF_ONLY_A,
    HCCT_DIFF_ONLY_B,
};

/* A node of both trees together. */
struct hcct_diff_node {
    uint32_t parent;            /* B's, where it is in B; smaller than its own index, or HCCT_NODE_NONE */
    uint32_t side[2];           /* the node in each tree, or HCCT_NODE_NONE */
    uint8_t kind;               /* enum hcct_diff_kind */
    bool is_context;            /* counted on one side or both, and comparable */
    bool beyond;                /* beyond both error bounds; never so of estimates */
    struct hcct_range range[2]; /* of the true count */
    uint64_t change;            /* the size of the change */
    bool falls;                 /* its direction */
};

struct hcct_diff {
    struct hcct_diff_side side[2];
    bool same_build;
    enum hcct_sure sure;           /* the weaker of the sides' */
    struct hcct_pool pools[2];     /* of one build: each side, with what both tell of functions and sites */
    struct hcct_profile joined[2]; /* what they hold */
    struct hcct_diff_node *nodes;  /* B's nodes in B's order, then those only in A */
    uint32_t node_count;
    uint32_t *of_a;   /* per node of A: its index in `nodes`; a node of B has the same index there */
    uint32_t *ranked; /* the nodes that changed, the largest change first */
    uint32_t ranked_count;
    uint32_t context_count[4], beyond_count; /* by kind */
};

struct hcct_diff_options {
    const struct hcct_query *query; /* its filters; NULL: none */
    uint32_t node_limit;            /* of either tree, see hcct_tree_limit; 0: none of its own */
    bool force;                     /* also of different programs */
    struct hcct_choice choice[2];   /* of each side */
    enum hcct_names names;          /* of a page */
};

/* The profiles must outlive the result. On false *error tells why; a mismatch is about b. */
bool hcct_diff_build(struct hcct_diff *diff, const struct hcct_profile *a, const struct hcct_profile *b,
                     const struct hcct_diff_options *options, struct hcct_error *error);
/* A side's count of a context; where it has none, the value in its range that is nearest to the other side's
 * count. */
uint64_t hcct_diff_value(const struct hcct_diff *diff, const struct hcct_diff_node *node, int which);
void hcct_diff_free(struct hcct_diff *diff);

#endif
