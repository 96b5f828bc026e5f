/* Numbers the acyclic calling contexts of a call graph
 * (Sumner et al., "Precise Calling Context Encoding", ICSE 2010, section 3).
 *
 *     contexts(f) = [a unit if f can be entered fresh or by a push, or no encoded edge leads to it]
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
 *      All are multiples of the unit, HCCT_ID_UNIT;
 *   4. the result depends on the arguments alone, not on addresses or on earlier calls.
 * Cost: O(functions + edges) time; no recursion on the C stack; no allocation: the caller gives scratch
 * memory. Threads and signals: pure functions of their arguments; async-signal-safe. Knows no LLVM and no
 * file. */
#ifndef HCCT_ENCODING_NUMBER_H
#define HCCT_ENCODING_NUMBER_H

#include "encoding/graph.h"

/* Arrays of the caller's, filled by hcct_number. */
struct hcct_numbering {
    uint64_t *base;     /* [function_count] */
    uint64_t *contexts; /* [function_count] */
    int64_t *delta;     /* [edge_count] */
    uint32_t *place;    /* [function_count] by ascending bases; NULL: not wanted */
    uint64_t end_id;    /* one more than the largest id */
    uint32_t back_edge_count;
    uint32_t cut_edge_count;
};

/* Bytes of scratch (8-aligned) that hcct_number wants for a graph of that size. */
size_t hcct_number_scratch_bytes(uint32_t function_count, uint32_t edge_count);

/* False only if function_count units do not fit between first_id and id_limit, or if an edge of
 * HCCT_WEIGHT_PRENUMBERED would push, which it does not if they keep what is promised of them and the room is
 * 8 * HCCT_PRENUMBERED_IDS a function; then nothing useful was written. */
bool hcct_number(const struct hcct_graph *graph, struct hcct_numbering *numbering, void *scratch);

#endif
