/* Turns ids back into paths: two binary searches over arrays that hcct_index_build sorted and checked.
 *
 * Why nothing can go wrong later: the checks of hcct_index_build imply that an encoded edge leads from a
 * range of ids to a higher, separate one, and that ids of a callee name at most one edge. So a path ascends,
 * and ends.
 * Cost: building O(n log n), and O(n) if the edges of each callee are in ascending order already. */
#include "encoding/index.h"

#include <string.h>

/* --- sorting: without recursion, memory or a worst case -------------------------------------------- */

/* Numbers of functions or of edges, ordered by the first id of each. */
struct sorting {
    const struct hcct_index *index;
    uint32_t *items;
    bool edges;
};

static uint64_t first_caller_id(const struct hcct_index *index, uint32_t edge)
{
    return index->base[index->caller[edge]];
}

/* The id that the callee has when the caller has its first. */
static uint64_t first_callee_id(const struct hcct_index *index, uint32_t edge)
{
    return first_caller_id(index, edge) + (uint64_t)index->delta[edge];
}

static uint64_t first_id(const struct sorting *sorting, uint32_t item)
{
    return sorting->edges ? first_callee_id(sorting->index, item) : sorting->index->base[item];
}

static bool is_sorted(const struct sorting *sorting, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (first_id(sorting, sorting->items[i - 1]) > first_id(sorting, sorting->items[i]))
            return false;
    return true;
}

/* Lets `item` sink from `place` in a heap of `count` whose greatest is on top. */
static void sink(const struct sorting *sorting, size_t place, size_t count, uint32_t item)
{
    uint32_t *heap = sorting->items;
    uint64_t id = first_id(sorting, item);
    for (;;) {
        size_t child = 2 * place + 1;
        if (child >= count)
            break;
        if (child + 1 < count && first_id(sorting, heap[child]) < first_id(sorting, heap[child + 1]))
            child++;
        if (first_id(sorting, heap[child]) <= id)
            break;
        heap[place] = heap[child];
        place = child;
    }
    heap[place] = item;
}

static void sort(const struct sorting *sorting, uint32_t count)
{
    if (is_sorted(sorting, count))
        return;
    for (size_t i = count / 2; i-- > 0;)
        sink(sorting, i, count, sorting->items[i]);
    for (size_t i = count; i-- > 1;) {
        uint32_t last = sorting->items[i];
        sorting->items[i] = sorting->items[0];
        sink(sorting, 0, i, last);
    }
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
    sort(&(struct sorting){ index, index->by_base, false }, index->function_count);
    for (uint32_t i = 1; i < index->function_count; i++) {
        uint32_t f = index->by_base[i - 1];
        if (index->base[index->by_base[i]] - index->base[f] < index->contexts[f])
            return false;
    }
    return true;
}

/* Are the ids that edge e, which is encoded, gives to `callee` the callee's? Sums stay below 2^63 + 2^60. */
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
        sort(&(struct sorting){ index, index->in_edges + first, true }, end - first);
        for (uint32_t i = first + 1; i < end; i++) {
            uint32_t e = index->in_edges[i - 1];
            if (first_callee_id(index, index->in_edges[i]) - first_callee_id(index, e) < contexts[caller[e]])
                return false;
        }
    }
    return true;
}

/* --- queries ----------------------------------------------------------------------------------- */

/* The last of items[low, high) whose first id is at most `id`, or HCCT_NO_INDEX. */
static uint32_t find_last(const struct sorting *sorting, uint32_t low, uint32_t high, uint64_t id)
{
    const uint32_t start = low;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (first_id(sorting, sorting->items[middle]) <= id)
            low = middle + 1;
        else
            high = middle;
    }
    return low > start ? sorting->items[low - 1] : HCCT_NO_INDEX;
}

uint32_t hcct_index_function(const struct hcct_index *index, uint64_t id)
{
    uint32_t f = find_last(&(struct sorting){ index, index->by_base, false }, 0, index->function_count, id);
    return f != HCCT_NO_INDEX && id - index->base[f] < index->contexts[f] ? f : HCCT_NO_INDEX;
}

uint32_t hcct_index_parent(const struct hcct_index *index, uint32_t function, uint64_t id,
                           uint64_t *caller_id)
{
    if (function >= index->function_count)
        return HCCT_NO_INDEX;
    uint32_t e = find_last(&(struct sorting){ index, index->in_edges, true }, index->first_edge[function],
                           index->first_edge[function + 1], id);
    if (e == HCCT_NO_INDEX || id - first_callee_id(index, e) >= index->contexts[index->caller[e]])
        return HCCT_NO_INDEX;
    *caller_id = id - (uint64_t)index->delta[e];
    return e;
}
