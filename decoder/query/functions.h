/* Sums by function: its own counts, what is counted below it, who calls it and whom it calls.
 *
 * Numbers are sums of lower bounds, and errors the most by which they may be too low (claim.h), but for what
 * N leaves.
 *
 * An inclusive sum counts each context once, however often the function stands on its path: it is taken at
 * the outermost occurrence.
 * Cost: O(nodes), no recursion. */
#ifndef HCCT_DECODER_QUERY_FUNCTIONS_H
#define HCCT_DECODER_QUERY_FUNCTIONS_H

#include "decoder/tree/tree.h"

struct hcct_function_sum {
    /* of the contexts that end in it, and `evicted` calls that no context has */
    uint64_t own, error;
    uint64_t total, total_error; /* inclusive */
    uint64_t evicted;
    uint32_t frame; /* one that is shown for all frames of the function */
    uint32_t context_count, caller_count;
};

/* All calls of one function by another. */
struct hcct_function_call {
    uint64_t count, error; /* of the contexts that end in the callee, called so */
    uint64_t total;        /* of the contexts through such a call, at the outermost one */
    uint64_t entered;      /* the part of the callee's inclusive sum that this caller caused */
    /* indices of functions; caller HCCT_FUNCTION_NONE: none, a thread begins there */
    uint32_t caller, callee;
};

#define HCCT_FUNCTION_NONE UINT32_MAX

struct hcct_functions {
    struct hcct_function_sum *functions;
    struct hcct_function_call *calls;
    uint32_t *of_frame; /* per frame: its function, or HCCT_FUNCTION_NONE */
    uint32_t count, capacity, call_count, call_capacity;
    struct hcct_table call_table;
};

/* Of a tree by call site. A function and its inlined copies are one. */
void hcct_functions_open(struct hcct_functions *functions, const struct hcct_tree *tree,
                         const struct hcct_frames *frames);
void hcct_functions_close(struct hcct_functions *functions);

#endif
