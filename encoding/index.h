/* Turns ids back into paths: the inverse of number.h. Pure functions of their arguments; async-signal-safe;
 * no allocation. */
#ifndef HCCT_ENCODING_INDEX_H
#define HCCT_ENCODING_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hcct/abi.h"

#define HCCT_NO_INDEX UINT32_MAX

/* Encoded edges by callee and offset, functions by base. Points into the arrays given to hcct_index_build. */
struct hcct_index {
    uint32_t function_count;
    uint32_t edge_count;
    const uint64_t *base;
    const uint64_t *contexts;
    const int64_t *delta;
    const uint32_t *caller;
    uint32_t *by_base;    /* [function_count] functions in ascending order of base */
    uint32_t *first_edge; /* [function_count + 1] into in_edges */
    uint32_t *in_edges;   /* encoded edges, by callee, then by ascending offset */
};

size_t hcct_index_bytes(uint32_t function_count, uint32_t edge_count);

/* Builds the index in `memory` (8-aligned, hcct_index_bytes). caller[e] and callee[e] are function numbers,
 * or HCCT_NO_INDEX for a callee that is not known; edges with delta <= 0 are left out. The arrays need not
 * come from hcct_number: any content is safe, and false tells that it is not a numbering (a caller or callee
 * is no function number, an edge with delta > 0 has no known callee, ranges of functions meet, are empty or
 * leave [1, HCCT_ID_MAX), an edge's ids are not inside its callee's range, or two edges of a callee
 * overlap). */
bool hcct_index_build(struct hcct_index *index, uint32_t function_count, const uint64_t *base,
                      const uint64_t *contexts, uint32_t edge_count, const uint32_t *caller,
                      const uint32_t *callee, const int64_t *delta, void *memory);

/* The function that an id belongs to, or HCCT_NO_INDEX. O(log functions). */
uint32_t hcct_index_function(const struct hcct_index *index, uint64_t id);

/* One step towards the root: the edge by which the context `id` of `function` was entered, and its caller's
 * id in *caller_id. HCCT_NO_INDEX where the path begins. O(log in-degree). A path has at most function_count
 * steps. */
uint32_t hcct_index_parent(const struct hcct_index *index, uint32_t function, uint64_t id,
                           uint64_t *caller_id);

#endif
