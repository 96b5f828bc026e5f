/* A call graph, as it is numbered (number.h). Functions and edges are numbers, from 0. */
#ifndef HCCT_ENCODING_GRAPH_H
#define HCCT_ENCODING_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hcct/abi.h"

/* The weight of an edge that must be encoded (HCCT_SITE_PRENUMBERED). Such edges have no cycle among
 * themselves, and if all others push, functions have no more contexts than this on the average. */
#define HCCT_WEIGHT_PRENUMBERED 255
#define HCCT_PRENUMBERED_IDS (UINT64_C(1) << 39)

struct hcct_edge {
    uint32_t caller;
    uint32_t callee;
    /* static frequency of the site, 0 the coldest: cold edges become back edges and cuts first */
    uint8_t weight;
    bool pushes; /* demanded: never encoded */
};

struct hcct_graph {
    uint32_t function_count;
    uint32_t edge_count;
    const uint8_t *enterable;      /* [function_count] 1: may be entered fresh */
    const struct hcct_edge *edges; /* [edge_count] in any order, several between two functions allowed */
    uint64_t first_id;             /* at least HCCT_ID_FIRST; a multiple of HCCT_ID_UNIT */
    uint64_t id_limit;             /* at most HCCT_ID_MAX; ids are below it */
};

#endif
