/* Numbers the contexts, and cuts edges where the ids would not do.
 *
 * What is cut: nothing, if everything fits. Otherwise every edge has a cost, the ids that it takes,
 *     contexts(caller) * paths(callee)       paths(g): the encoded paths that start in g
 * and a value, 2^weight. Edges above the lowest weight at which they fit together in a quarter of the ids are
 * hot, and never cut. The others are cold. They are taken in topological order, and each is kept if it costs
 * at most twice its share. Its share of the ids that are left is as much as its value is of all values that
 * are left. The ids that remain go to whatever else still fits in.
 *
 * Invariants of a count over functions in topological order, where edges are added to a set K on the way:
 *   1. contexts(f) is final when f is reached;
 *   2. adding e takes exactly contexts(caller) * paths_K(callee) ids, with the contexts of the new graph and
 *      the paths of the old one (tell the paths of the new graph apart by the last added edge on them);
 *   3. sums stop at one more than the ids there are, so 2^64 contexts and more are nothing special.
 * Cost: at most 8 + 7 passes over the encodable edges; where the weights are 16, 4 + 7. */
#include "encoding/number.h"

#include "encoding/graph.h"
#include "encoding/order.h"

#include <string.h>

enum {
    WEIGHTS = 256,
    VALUE_BITS = 32, /* of the greatest value: 2^32 values have a sum below 2^64 */
    SHARES = 2       /* that an edge may take, as most take less than theirs */
};

struct numbering_work {
    struct hcct_order order;
    uint64_t id_count; /* that may be used */
    /* all by place in the order */
    uint64_t *cells;   /* [function_count] see add_edge */
    uint64_t *paths;   /* [function_count] */
    uint32_t *hot_end; /* [function_count] where the function's edges end that are kept in any case */
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
    work->hot_end = take(memory, &used, functions, sizeof *work->hot_end);
    return used;
}

size_t hcct_number_scratch_bytes(uint32_t function_count, uint32_t edge_count)
{
    struct numbering_work work;
    return lay_out(&work, NULL, function_count, edge_count);
}

/* --- counting ---------------------------------------------------------------------------------- */

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

/* The sum of all contexts if only hot edges are kept, or `most` + 1. */
static uint64_t count_hot(struct numbering_work *work, uint64_t most)
{
    struct hcct_order *order = &work->order;
    uint64_t total = 0;
    start_count(work);
    for (uint32_t i = 0; i < order->function_count; i++) {
        uint64_t contexts = finish_contexts(work, i);
        total += contexts;
        if (total > most)
            return most + 1;
        add_kept(work, order->forward_first[i], work->hot_end[i], contexts, total, most + 1);
        for (uint32_t j = work->hot_end[i]; j < order->forward_first[i + 1]; j++)
            work->cells[order->forward[j].callee] |= 1;
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

/* Of the lowest weights, those that cannot be kept without taking more than a quarter of the ids are cold.
 * From now on all other edges are hot. Returns how many ids these take. */
static uint64_t find_hot(struct numbering_work *work, const uint8_t *weights, uint32_t weight_count)
{
    uint64_t functions = work->order.function_count;
    uint64_t room = functions + (work->id_count - functions) / 4, taken = functions;
    /* without edges, every function has one context; with all, they do not fit */
    uint32_t too_few = 0, fits = weight_count;
    while (fits - too_few > 1) {
        uint32_t cold = too_few + (fits - too_few) / 2;
        keep_from(work, weights[cold]);
        uint64_t total = count_hot(work, room);
        if (total <= room) {
            fits = cold;
            taken = total;
        } else {
            too_few = cold;
        }
    }
    keep_from(work, weights[fits - 1] + 1u);
    return taken;
}

/* The cold edges that are cut. */
struct cold {
    unsigned hottest; /* the greatest weight of a cold edge */
    uint64_t values;  /* the sum */
};

static uint64_t value_of(const struct cold *cold, unsigned weight)
{
    unsigned less = cold->hottest - weight;
    return UINT64_C(1) << (less < VALUE_BITS ? VALUE_BITS - 1 - less : 0);
}

static struct cold cut_cold(struct numbering_work *work)
{
    struct hcct_order *order = &work->order;
    uint32_t by_weight[WEIGHTS] = { 0 };
    struct cold cold = { 0, 0 };
    for (uint32_t i = 0; i < order->function_count; i++)
        for (uint32_t j = work->hot_end[i]; j < order->forward_first[i + 1]; j++) {
            order->forward[j].kept = false;
            by_weight[order->forward[j].weight]++;
        }
    for (unsigned weight = 0; weight < WEIGHTS; weight++)
        cold.hottest = by_weight[weight] ? weight : cold.hottest;
    for (unsigned weight = 0; weight < WEIGHTS; weight++)
        cold.values += by_weight[weight] ? by_weight[weight] * value_of(&cold, weight) : 0;
    return cold;
}

/* Takes cut edges back that cost at most SHARES of the ids that are left. `any`: those that cost no more than
 * all that are left. Returns how many ids are left then (invariant 2). There may be more, but not
 * fewer: a callee that loses its last push loses a context, which is not counted. */
static uint64_t take_back(struct numbering_work *work, struct cold *cold, uint64_t left, bool any)
{
    struct hcct_order *order = &work->order;
    uint64_t values = cold->values, reached = 0, cost;
    count_paths(work);
    start_count(work);
    for (uint32_t i = 0; i < order->function_count; i++) {
        const uint32_t hot_end = work->hot_end[i], end = order->forward_first[i + 1];
        const uint64_t contexts = finish_contexts(work, i);
        reached += contexts;
        add_kept(work, order->forward_first[i], hot_end, contexts, reached, work->id_count + 1);
        for (uint32_t j = hot_end; j < end; j++) {
            struct hcct_arc *edge = &order->forward[j];
            if (!edge->kept) {
                uint64_t value = value_of(cold, edge->weight);
                edge->kept =
                    !__builtin_mul_overflow(contexts, work->paths[edge->callee], &cost) && cost <= left &&
                    (any || (unsigned __int128)cost * values <= (unsigned __int128)left * SHARES * value);
                values -= value;
                left -= edge->kept ? cost : 0;
                cold->values -= edge->kept ? value : 0;
            }
            add_edge(work, edge->callee, edge->kept, contexts, work->id_count + 1);
        }
    }
    return left;
}

static void cut(struct numbering_work *work)
{
    uint8_t weights[WEIGHTS];
    uint32_t weight_count = list_weights(&work->order, weights);
    uint64_t left = work->id_count - find_hot(work, weights, weight_count);
    struct cold cold = cut_cold(work);
    left = take_back(work, &cold, left, false);
    (void)take_back(work, &cold, left, true);
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
        numbering->contexts[order->functions[i]] = contexts * HCCT_ID_UNIT;
        next_id += contexts * HCCT_ID_UNIT;
        for (uint32_t j = order->forward_first[i]; j < order->forward_first[i + 1]; j++) {
            uint64_t *cell = &work->cells[order->forward[j].callee];
            if (!order->forward[j].kept)
                continue;
            numbering->delta[order->forward_edge[j]] = (int64_t)(((*cell >> 1) + (*cell & 1)) * HCCT_ID_UNIT);
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
    if (graph->id_limit < graph->first_id ||
        (graph->id_limit - graph->first_id) / HCCT_ID_UNIT < graph->function_count)
        return false;
    (void)lay_out(&work, scratch, graph->function_count, graph->edge_count);
    work.id_count = (graph->id_limit - graph->first_id) / HCCT_ID_UNIT;
    work.paths = numbering->base; /* free until the ids are assigned */
    numbering->back_edge_count = hcct_order_find(&work.order, graph);
    keep_all(&work);
    if (count_hot(&work, work.id_count) > work.id_count)
        cut(&work);
    assign_ids(&work, graph, numbering);
    return finish_deltas(graph, numbering);
}
