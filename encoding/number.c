/* Numbers the contexts, and cuts edges where the ids would not do.
 *
 * What is cut: nothing, if everything fits. Otherwise every edge has a cost, the ids that it takes,
 *     contexts(caller) * paths(callee)       paths(g): the encoded paths that start in g
 * and a value, 2^weight. Edges above the lowest weight at which they fit together in a quarter of the ids are
 * never cut; of the others those are kept whose cost / value is below a bound, the largest that fits; what
 * room is left goes to whatever still fits in.
 *
 * Invariants of a count over functions in topological order, where edges are added to a set K on the way:
 *   1. contexts(f) is final when f is reached;
 *   2. adding e takes exactly contexts(caller) * paths_K(callee) ids, with the contexts of the new graph and
 *      the paths of the old one (tell the paths of the new graph apart by the last added edge on them);
 *   3. sums stop at one more than the ids there are, so 2^64 contexts and more are nothing special.
 * Cost: at most 8 + 9 + a few passes over the encodable edges; where the weights are 16, 4 + 7. */
#include "encoding/number.h"

#include "encoding/graph.h"
#include "encoding/order.h"

#include <string.h>

enum {
    WEIGHTS = 256,
    NO_PRICE = -WEIGHTS, /* keeps no edge */
    PRICE_MAX = 2 * 64,  /* keeps every edge */
    COST_BITS_MIN = 2,   /* contexts and paths have at least one each */
    COST_BITS_MAX = 2 * 61,
    FILL_STEPS = 3,
    FILL_PRICE = 2
};

struct numbering_work {
    struct hcct_order order;
    uint64_t id_count; /* that may be used */
    /* all by place in the order */
    uint64_t *cells;    /* [function_count] see add_edge */
    uint64_t *paths;    /* [function_count] */
    uint8_t *path_bits; /* [function_count] bits of `paths` */
    uint32_t *hot_end;  /* [function_count] where the function's edges end that are kept in any case */
    /* while the contexts so far are not more than these, no cell can overflow, whoever calls whom */
    uint64_t small_total;
};

/* --- scratch ----------------------------------------------------------------------------------- */

/* The next `count` elements of scratch memory at *used. Without memory, only the sizes are added. */
static void *take(char *memory, size_t *used, size_t count, size_t element_bytes)
{
    void *place = memory ? memory + *used : NULL;
    *used += (count * element_bytes + 7) & ~(size_t)7;
    return place;
}

static size_t lay_out(struct numbering_work *work, char *memory, uint32_t function_count, uint32_t edge_count)
{
    struct hcct_order *order = &work->order;
    struct hcct_search *search = &order->search;
    size_t functions = function_count, used = 0;
    order->function_count = function_count;
    order->functions = take(memory, &used, functions, sizeof *order->functions);
    order->entered = take(memory, &used, functions, sizeof *order->entered);
    order->forward = take(memory, &used, edge_count, sizeof *order->forward);
    order->forward_edge = take(memory, &used, edge_count, sizeof *order->forward_edge);
    order->forward_first = take(memory, &used, functions + 1, sizeof *order->forward_first);
    order->arc_edge = take(memory, &used, edge_count, sizeof *order->arc_edge);
    order->place = take(memory, &used, functions, sizeof *order->place);
    order->spare_functions = take(memory, &used, functions, sizeof *order->spare_functions);
    search->arcs = take(memory, &used, edge_count, sizeof *search->arcs);
    search->first = take(memory, &used, functions + 1, sizeof *search->first);
    search->live = take(memory, &used, functions, sizeof *search->live);
    search->group = take(memory, &used, functions, sizeof *search->group);
    search->length = take(memory, &used, functions, sizeof *search->length);
    search->number = take(memory, &used, functions, sizeof *search->number);
    search->cursor = take(memory, &used, functions + 1, sizeof *search->cursor);
    search->stack = take(memory, &used, functions, sizeof *search->stack);
    search->spare = take(memory, &used, functions, sizeof *search->spare);
    search->is_root = take(memory, &used, functions, sizeof *search->is_root);
    work->cells = take(memory, &used, functions, sizeof *work->cells);
    work->path_bits = take(memory, &used, functions, sizeof *work->path_bits);
    work->hot_end = take(memory, &used, functions, sizeof *work->hot_end);
    return used;
}

size_t hcct_number_scratch_bytes(uint32_t function_count, uint32_t edge_count)
{
    struct numbering_work work;
    return lay_out(&work, NULL, function_count, edge_count);
}

/* --- counting ---------------------------------------------------------------------------------- */

static unsigned bits(uint64_t number)
{
    return number == 0 ? 0 : 64 - (unsigned)__builtin_clzll(number);
}

/* Whether an edge that is not hot is kept: its bits of cost are at most `price` more than its weight. */
static bool price_keeps(int price, unsigned weight, unsigned cost_bits)
{
    return (int)cost_bits <= price + (int)weight;
}

/* From now on the edges of at least this weight are kept in any case. The edges of a function stand by
 * descending weight. */
static void keep_from(struct numbering_work *work, unsigned weight)
{
    const struct hcct_order *order = &work->order;
    for (uint32_t i = 0; i < order->function_count; i++) {
        uint32_t low = order->forward_first[i], count = order->forward_first[i + 1] - low;
        while (count) {
            uint32_t half = count / 2;
            bool hot = order->forward[low + half].weight >= weight;
            low += hot ? half + 1 : 0;
            count = hot ? count - half - 1 : half;
        }
        work->hot_end[i] = low;
    }
}

/* All edges are. */
static void keep_all(struct numbering_work *work)
{
    const struct hcct_order *order = &work->order;
    uint32_t most = 1;
    for (uint32_t i = 0; i < order->function_count; i++) {
        uint32_t count = order->forward_first[i + 1] - order->forward_first[i];
        most = count > most ? count : most;
        work->hot_end[i] = order->forward_first[i + 1];
    }
    work->small_total = (UINT64_C(1) << 62) / most;
}

/* A cell: twice the contexts that come from callers, and 1 if the function has one of its own. */
static void start_count(struct numbering_work *work)
{
    for (uint32_t i = 0; i < work->order.function_count; i++)
        work->cells[i] = work->order.entered[i];
}

/* Lets an edge from a function of so many contexts add to its callee's cell. No branch: which edges are kept
 * is hard to predict. A cell that reaches the contexts `too_many` stays there (in its lowest bit, nothing
 * matters then). */
static void add_edge(struct numbering_work *work, uint32_t callee, bool kept, uint64_t contexts,
                     uint64_t too_many)
{
    uint64_t cell = work->cells[callee] + (kept ? 2 * contexts : 0);
    cell |= !kept;
    work->cells[callee] = cell < 2 * too_many ? cell : 2 * too_many;
}

/* All contexts of a function, when its callers are in its cell. */
static uint64_t finish_contexts(const struct numbering_work *work, uint32_t place)
{
    uint64_t cell = work->cells[place], contexts = (cell >> 1) + (cell & 1);
    return contexts > 0 ? contexts : 1;
}

/* The same for edges that are all kept, as most are, when `total` contexts are counted. */
static inline void add_kept(struct numbering_work *work, uint32_t edge, uint32_t end, uint64_t contexts,
                            uint64_t total, uint64_t too_many)
{
    const struct hcct_arc *at = work->order.forward + edge, *stop = work->order.forward + end;
    uint64_t *cells = work->cells, most = 2 * too_many;
    contexts *= 2;
    if (total <= work->small_total) {
        for (; at < stop; at++)
            cells[at->callee] += contexts;
        return;
    }
    for (; at < stop; at++) {
        uint64_t cell = cells[at->callee] + contexts;
        cells[at->callee] = cell < most ? cell : most;
    }
}

/* The sum of all contexts if the price decides on every edge that is not hot, or `most` + 1. Notes what was
 * decided, if asked to. */
static uint64_t count_by_price(struct numbering_work *work, int price, uint64_t most, bool note)
{
    struct hcct_order *order = &work->order;
    uint64_t total = 0;
    start_count(work);
    for (uint32_t i = 0; i < order->function_count; i++) {
        uint64_t contexts = finish_contexts(work, i);
        total += contexts;
        if (total > most)
            return most + 1;
        unsigned context_bits = bits(contexts);
        add_kept(work, order->forward_first[i], work->hot_end[i], contexts, total, most + 1);
        for (uint32_t j = work->hot_end[i]; j < order->forward_first[i + 1]; j++) {
            struct hcct_arc *edge = &order->forward[j];
            bool kept = price_keeps(price, edge->weight, context_bits + work->path_bits[edge->callee]);
            if (note)
                edge->kept = kept;
            add_edge(work, edge->callee, kept, contexts, most + 1);
        }
    }
    return total;
}

/* paths(f), over the edges kept. */
static void count_paths(struct numbering_work *work)
{
    struct hcct_order *order = &work->order;
    const uint64_t most = work->id_count + 1;
    uint64_t *all_paths = work->paths;
    for (uint32_t i = order->function_count; i-- > 0;) {
        const struct hcct_arc *edge = order->forward + order->forward_first[i],
                              *hot_end = order->forward + work->hot_end[i],
                              *end = order->forward + order->forward_first[i + 1];
        uint64_t paths = 1;
        for (; edge < hot_end; edge++) {
            paths += all_paths[edge->callee];
            paths = paths < most ? paths : most;
        }
        for (; edge < end; edge++) {
            paths += edge->kept ? all_paths[edge->callee] : 0;
            paths = paths < most ? paths : most;
        }
        all_paths[i] = paths;
        work->path_bits[i] = (uint8_t)bits(paths);
    }
}

/* --- cutting ----------------------------------------------------------------------------------- */

/* The weights that forward edges have, in ascending order. */
static uint32_t list_weights(const struct hcct_order *order, uint8_t *weights)
{
    bool seen[WEIGHTS] = { false };
    uint32_t count = 0;
    for (uint32_t j = 0; j < order->forward_first[order->function_count]; j++)
        seen[order->forward[j].weight] = true;
    for (unsigned weight = 0; weight < WEIGHTS; weight++)
        if (seen[weight])
            weights[count++] = (uint8_t)weight;
    return count;
}

/* How many of the lowest weights cannot be kept without taking more than a quarter of the room. */
static uint32_t find_cold(struct numbering_work *work, const uint8_t *weights, uint32_t weight_count)
{
    uint64_t functions = work->order.function_count;
    uint64_t room = functions + (work->id_count - functions) / 4;
    /* without edges, every function has one context; with all, they do not fit */
    uint32_t too_few = 0, fits = weight_count;
    while (fits - too_few > 1) {
        uint32_t cold = too_few + (fits - too_few) / 2;
        keep_from(work, weights[cold]);
        if (count_by_price(work, NO_PRICE, room, false) <= room)
            fits = cold;
        else
            too_few = cold;
    }
    return fits;
}

/* Keeps all edges but those of the lowest weights, weights[0 .. cold), and of these what the largest price
 * that fits lets it keep. Returns that price. */
static int cut_by_price(struct numbering_work *work, const uint8_t *weights, uint32_t cold)
{
    const int none = COST_BITS_MIN - 1 - weights[cold - 1];
    keep_from(work, weights[cold - 1] + 1u);
    (void)count_by_price(work, NO_PRICE, work->id_count, true);
    count_paths(work);
    int fits = none, too_high = COST_BITS_MAX - weights[0]; /* keeps every edge */
    int noted = none;
    while (too_high - fits > 1) {
        noted = fits + (too_high - fits) / 2;
        if (count_by_price(work, noted, work->id_count, true) <= work->id_count)
            fits = noted;
        else
            too_high = noted;
    }
    if (noted != fits)
        (void)count_by_price(work, fits, work->id_count, true);
    return fits > none ? fits : NO_PRICE;
}

/* Takes cut edges up to a price back, as long as they fit (invariant 2). `total` is never less than what is
 * taken: a callee that loses its last push loses a context, which is not counted. */
static void fill(struct numbering_work *work, int price)
{
    struct hcct_order *order = &work->order;
    uint64_t total = 0, reached = 0;
    for (uint32_t i = 0; i < order->function_count; i++)
        total += finish_contexts(work, i);
    count_paths(work);
    start_count(work);
    for (uint32_t i = 0; i < order->function_count; i++) {
        uint64_t contexts = finish_contexts(work, i), cost;
        unsigned context_bits = bits(contexts);
        reached += contexts;
        add_kept(work, order->forward_first[i], work->hot_end[i], contexts, reached, work->id_count + 1);
        for (uint32_t j = work->hot_end[i]; j < order->forward_first[i + 1]; j++) {
            struct hcct_arc *edge = &order->forward[j];
            if (!edge->kept &&
                price_keeps(price, edge->weight, context_bits + work->path_bits[edge->callee]) &&
                !__builtin_mul_overflow(contexts, work->paths[edge->callee], &cost) &&
                cost <= work->id_count - total) {
                edge->kept = true;
                total += cost;
            }
            add_edge(work, edge->callee, edge->kept, contexts, work->id_count + 1);
        }
    }
}

static void cut(struct numbering_work *work)
{
    uint8_t weights[WEIGHTS];
    uint32_t weight_count = list_weights(&work->order, weights);
    int price = cut_by_price(work, weights, find_cold(work, weights, weight_count));
    for (int step = 1; step <= FILL_STEPS; step++)
        fill(work, step < FILL_STEPS ? price + FILL_PRICE * step : PRICE_MAX);
}

/* --- the result -------------------------------------------------------------------------------- */

/* Bases and contexts; in delta the offsets, or -1. */
static void assign_ids(struct numbering_work *work, const struct hcct_graph *graph,
                       struct hcct_numbering *numbering)
{
    struct hcct_order *order = &work->order;
    uint64_t next_id = graph->first_id;
    uint32_t forward_count = order->forward_first[order->function_count], kept_count = 0;
    for (uint32_t e = 0; e < graph->edge_count; e++)
        numbering->delta[e] = -1;
    start_count(work);
    for (uint32_t j = 0; j < forward_count; j++)
        work->cells[order->forward[j].callee] |= !order->forward[j].kept;
    for (uint32_t i = 0; i < order->function_count; i++) {
        uint64_t contexts = finish_contexts(work, i);
        numbering->base[order->functions[i]] = next_id;
        if (numbering->place)
            numbering->place[order->functions[i]] = i;
        numbering->contexts[order->functions[i]] = contexts;
        next_id += contexts;
        for (uint32_t j = order->forward_first[i]; j < order->forward_first[i + 1]; j++) {
            uint64_t *cell = &work->cells[order->forward[j].callee];
            if (!order->forward[j].kept)
                continue;
            numbering->delta[order->forward_edge[j]] = (int64_t)((*cell >> 1) + (*cell & 1));
            *cell += 2 * contexts;
            kept_count++;
        }
    }
    numbering->end_id = next_id;
    numbering->cut_edge_count = forward_count - kept_count;
}

/* False if an edge pushes that must not. */
static bool finish_deltas(const struct hcct_graph *graph, struct hcct_numbering *numbering)
{
    const uint64_t *base = numbering->base;
    bool prenumbered = true;
    for (uint32_t e = 0; e < graph->edge_count; e++) {
        const struct hcct_edge *edge = &graph->edges[e];
        int64_t offset = numbering->delta[e];
        prenumbered &= offset >= 0 || edge->weight != HCCT_WEIGHT_PRENUMBERED || edge->pushes;
        numbering->delta[e] = offset < 0 ? HCCT_DELTA_SIGN | (int64_t)base[edge->callee]
                                         : (int64_t)(base[edge->callee] - base[edge->caller]) + offset;
    }
    return prenumbered;
}

bool hcct_number(const struct hcct_graph *graph, struct hcct_numbering *numbering, void *scratch)
{
    struct numbering_work work;
    if (graph->id_limit < graph->first_id || graph->id_limit - graph->first_id < graph->function_count)
        return false;
    (void)lay_out(&work, scratch, graph->function_count, graph->edge_count);
    work.id_count = graph->id_limit - graph->first_id;
    work.paths = numbering->base; /* free until the ids are assigned */
    numbering->back_edge_count = hcct_order_find(&work.order, graph);
    memset(work.path_bits, 1, graph->function_count);
    keep_all(&work);
    if (count_by_price(&work, NO_PRICE, work.id_count, false) > work.id_count)
        cut(&work);
    assign_ids(&work, graph, numbering);
    return finish_deltas(graph, numbering);
}
