/* The order of functions that the numbering follows, and the arcs that it is found on. Private to
 * encoding/. */
#ifndef HCCT_ENCODING_ORDER_H
#define HCCT_ENCODING_ORDER_H

#include "encoding/graph.h"

/* An edge that may be encoded, as it lies at its caller. */
struct hcct_arc {
    uint32_t callee;
    uint8_t weight;
    bool kept; /* in the result: not cut */
};

/* A depth-first search over functions 0 to n - 1. */
struct hcct_search {
    struct hcct_arc *arcs; /* grouped by caller: [first[f], first[f + 1]) */
    uint32_t *first;       /* [n + 1] */
    uint32_t *live;        /* [n] f's arcs that still matter are [first[f], live[f]), hottest first */
    uint32_t *functions;   /* [n] the order found so far */
    uint32_t *group;       /* [n] where the function's group starts in `functions` */
    uint32_t *length;      /* [n] of the group that starts there */
    uint32_t *number;      /* [n] 0: not seen; see find_components */
    uint32_t *cursor;      /* [n + 1] next arc to follow */
    uint32_t *stack;       /* [n] */
    uint32_t *spare;       /* [n] */
    uint8_t *is_root;      /* [n] */
};

/* Carved out of the scratch memory. Result: functions by their place in the order, so that going through the
 * order goes through memory. */
struct hcct_order {
    uint32_t function_count;
    uint32_t *functions;      /* [function_count] in topological order */
    uint8_t *entered;         /* [function_count] 1: needs a context of its own, whatever is cut */
    struct hcct_arc *forward; /* [edge_count] the arcs that are no back edges, by caller; callee > caller */
    uint32_t *forward_edge;   /* [edge_count] the number of each one's edge */
    uint32_t *forward_first;  /* [function_count + 1] */
    /* used on the way, by function */
    uint32_t *arc_edge;        /* [edge_count] the number of the edge of search.arcs[i] */
    uint32_t *place;           /* [function_count] in the order */
    uint32_t *spare_functions; /* [function_count] */
    struct hcct_search search;
};

/* Fills in the result (all kept); returns the number of back edges. */
uint32_t hcct_order_find(struct hcct_order *order, const struct hcct_graph *graph);

#endif
