/* Numbers the acyclic calling contexts of a call graph, and turns ids back into paths
 * (Sumner et al., "Precise Calling Context Encoding", ICSE 2010, section 3).
 *
 *     contexts(f) = [1 if f can be entered fresh or by a push, or no encoded edge leads to it]
 *                   + the sum of contexts(c) over the encoded edges c -> f
 *     off(e)      = the running sum in front of e (local id 0 is the fresh context, where there is one)
 *     base(f)     = the running sum over the functions in topological order, from first_id
 *     delta(e)    = base(g) + off(e) - base(f)  > 0     for an encoded edge e: f -> g
 *                 = HCCT_DELTA_SIGN | base(g)   < 0     for one that pushes: back, cut and demanded edges
 *
 * Invariants
 *   1. for every function f, ids [base(f), base(f) + contexts(f)) belong to f alone, and contexts(f) >= 1;
 *   2. two different acyclic paths that end in f have different ids;
 *   3. every id is in [first_id, id_limit): an edge that would break this is cut, cold edges first;
 *   4. the result depends on the arguments alone, not on addresses or on earlier calls.
 * Cost: O(functions + edges) time; no recursion on the C stack; no allocation: the caller gives scratch
 * memory. Threads and signals: pure functions of their arguments; async-signal-safe. Knows no LLVM and no
 * file. */
#ifndef HCCT_ENCODING_H
#define HCCT_ENCODING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hcct/abi.h"

#define HCCT_NO_INDEX UINT32_MAX

/* The weight of an edge that must be encoded (HCCT_SITE_PRENUMBERED). Such edges have no cycle among
 * themselves, and if all others push, functions have no more contexts than this on the average. */
#define HCCT_WEIGHT_PRENUMBERED 255
#define HCCT_PRENUMBERED_IDS (UINT64_C(1) << 37)

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
    uint64_t first_id;             /* at least HCCT_ID_FIRST */
    uint64_t id_limit;             /* at most HCCT_ID_MAX; ids are below it */
};

/* Arrays of the caller's, filled by hcct_number. */
struct hcct_numbering {
    uint64_t *base;     /* [function_count] */
    uint64_t *contexts; /* [function_count] */
    int64_t *delta;     /* [edge_count] */
    uint64_t end_id;    /* one more than the largest id */
    uint32_t back_edge_count;
    uint32_t cut_edge_count;
};

/* Bytes of scratch (8-aligned) that hcct_number wants for a graph of that size. */
size_t hcct_number_scratch_bytes(uint32_t function_count, uint32_t edge_count);

/* False only if function_count ids do not fit between first_id and id_limit, or if an edge of
 * HCCT_WEIGHT_PRENUMBERED would push, which it does not if they keep what is promised of them and the room is
 * 8 * HCCT_PRENUMBERED_IDS a function; then nothing useful was written. */
bool hcct_number(const struct hcct_graph *graph, struct hcct_numbering *numbering, void *scratch);

/* --- decoding --------------------------------------------------------------------------------- */

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
