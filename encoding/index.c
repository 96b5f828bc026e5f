/* Turns ids back into paths: two binary searches over arrays that hcct_index_build sorted and checked.
 *
 * Why nothing can go wrong later: the checks of hcct_index_build imply that an encoded edge leads from a
 * range of ids to a higher, separate one, and that ids of a callee name at most one edge. So a path ascends,
 * and ends.
 * Cost: building O(n log n), and O(n) if the edges of each callee are in ascending order already. */
#include "encoding/index.h"

#include <string.h>

#include "encoding/heapsort.h"

static uint64_t first_caller_id(const struct hcct_index *index, uint32_t edge)
{
    return index->base[index->caller[edge]];
}

/* The id that the callee has when the caller has its first. */
static uint64_t first_callee_id(const struct hcct_index *index, uint32_t edge)
{
    return first_caller_id(index, edge) + (uint64_t)index->delta[edge];
}

/* The keys that functions and edges are sorted by. */
static uint64_t key_of_function(const void *function, const void *index)
{
    return ((const struct hcct_index *)index)->base[*(const uint32_t *)function];
}

static uint64_t key_of_edge(const void *edge, const void *index)
{
    return first_callee_id(index, *(const uint32_t *)edge);
}

/* --- building ---------------------------------------------------------------------------------- */

size_t hcct_index_bytes(uint32_t function_count, uint32_t edge_count)
{
    size_t bytes = (2 * (size_t)function_count + 1 + edge_count) * sizeof(uint32_t);
    return (bytes + 7) & ~(size_t)7;
}

static bool index_functions(struct hcct_index *index)
{
    for (uint32_t f = 0; f < index->function_count; f++) {
        uint64_t base = index->base[f];
        if (base == 0 || base >= HCCT_ID_MAX)
            return false;
        if (index->contexts[f] == 0 || index->contexts[f] > HCCT_ID_MAX - base)
            return false;
        index->by_base[f] = f;
    }
    hcct_heapsort(index->by_base, index->function_count, sizeof *index->by_base, key_of_function, index);
    for (uint32_t i = 1; i < index->function_count; i++) {
        uint32_t f = index->by_base[i - 1];
        if (index->base[index->by_base[i]] - index->base[f] < index->contexts[f])
            return false;
    }
    return true;
}

/* Are the ids that edge e, which is encoded, gives to `callee` the callee's? Sums stay below 2^63 + 2^62. */
static bool edge_is_inside(const struct hcct_index *index, uint32_t e, uint32_t callee)
{
    uint64_t id = first_callee_id(index, e), base = index->base[callee];
    uint64_t callee_contexts = index->contexts[callee], caller_contexts = index->contexts[index->caller[e]];
    if (id < base || id - base >= callee_contexts)
        return false;
    return caller_contexts <= callee_contexts - (id - base);
}

/* Groups the encoded edges by callee, in the order of their numbers. */
static bool group_edges(struct hcct_index *index, const uint32_t *callee)
{
    uint32_t *end = index->first_edge;
    memset(end, 0, ((size_t)index->function_count + 1) * sizeof *end);
    for (uint32_t e = 0; e < index->edge_count; e++) {
        if (index->caller[e] >= index->function_count)
            return false;
        if (callee[e] >= index->function_count && callee[e] != HCCT_NO_INDEX)
            return false;
        if (index->delta[e] <= 0)
            continue;
        if (callee[e] == HCCT_NO_INDEX || !edge_is_inside(index, e, callee[e]))
            return false;
        end[callee[e]]++;
    }
    uint32_t sum = 0;
    for (uint32_t f = 0; f <= index->function_count; f++) {
        uint32_t count = end[f];
        sum += count;
        end[f] = sum;
    }
    for (uint32_t e = index->edge_count; e-- > 0;)
        if (index->delta[e] > 0)
            index->in_edges[--end[callee[e]]] = e;
    return true;
}

bool hcct_index_build(struct hcct_index *index, uint32_t function_count, const uint64_t *base,
                      const uint64_t *contexts, uint32_t edge_count, const uint32_t *caller,
                      const uint32_t *callee, const int64_t *delta, void *memory)
{
    uint32_t *free_memory = memory;
    *index = (struct hcct_index){
        .function_count = function_count,
        .edge_count = edge_count,
        .base = base,
        .contexts = contexts,
        .delta = delta,
        .caller = caller,
        .by_base = free_memory,
        .first_edge = free_memory + function_count,
        .in_edges = free_memory + 2 * (size_t)function_count + 1,
    };
    if (!index_functions(index) || !group_edges(index, callee))
        return false;
    for (uint32_t f = 0; f < function_count; f++) {
        uint32_t first = index->first_edge[f], end = index->first_edge[f + 1];
        hcct_heapsort(index->in_edges + first, end - first, sizeof *index->in_edges, key_of_edge, index);
        for (uint32_t i = first + 1; i < end; i++) {
            uint32_t e = index->in_edges[i - 1];
            if (first_callee_id(index, index->in_edges[i]) - first_callee_id(index, e) < contexts[caller[e]])
                return false;
        }
    }
    return true;
}

/* --- queries ----------------------------------------------------------------------------------- */

/* The last of items[low, high) whose key is at most `id`, or HCCT_NO_INDEX. Inlined with its key. */
static inline __attribute__((always_inline)) uint32_t find_last(const struct hcct_index *index,
                                                                const uint32_t *items, uint32_t low,
                                                                uint32_t high, uint64_t id,
                                                                hcct_heapsort_key *key)
{
    const uint32_t start = low;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (key(&items[middle], index) <= id)
            low = middle + 1;
        else
            high = middle;
    }
    return low > start ? items[low - 1] : HCCT_NO_INDEX;
}

uint32_t hcct_index_function(const struct hcct_index *index, uint64_t id)
{
    uint32_t f = find_last(index, index->by_base, 0, index->function_count, id, key_of_function);
    return f != HCCT_NO_INDEX && id - index->base[f] < index->contexts[f] ? f : HCCT_NO_INDEX;
}

uint32_t hcct_index_parent(const struct hcct_index *index, uint32_t function, uint64_t id,
                           uint64_t *caller_id)
{
    if (function >= index->function_count)
        return HCCT_NO_INDEX;
    uint32_t e = find_last(index, index->in_edges, index->first_edge[function],
                           index->first_edge[function + 1], id, key_of_edge);
    if (e == HCCT_NO_INDEX || id - first_callee_id(index, e) >= index->contexts[index->caller[e]])
        return HCCT_NO_INDEX;
    *caller_id = id - (uint64_t)index->delta[e];
    return e;
}
