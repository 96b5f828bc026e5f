/* Orders the functions of a call graph so that few and cold edges lead backwards: those are the back edges.
 *
 * A plain depth-first search takes for a back edge whichever edge of a cycle it meets last, hot or cold. So
 * its order is refined: in a group of functions that call each other in cycles (a strongly connected
 * component), the coldest inner arcs are dropped, the components of the rest are put in topological order,
 * and each becomes a group of its own, until all arcs of a group have one weight. Where the arcs do not
 * decide, the order of the search stays. Of the static call frequency (2^weight), two random programs of
 * 10,000 functions lost 0.01% and 0.14% to back edges and cuts, and with the order of the search alone 1.6%
 * and 30%.
 *
 * Invariants
 *   1. an arc between two groups leads forwards, so an acyclic graph has no back edge;
 *   2. an arc that leads backwards is one of the coldest third of some group (of the coldest weight, if the
 *      group is small or one weight is more than a third), or all arcs of its last group have its weight;
 *   3. ties are broken by the order of functions and edges in the arguments.
 * Cost: O(functions + edges): a large group keeps at most two thirds of its arcs (and once more, if what is
 * left has one weight), a small one is refined at most SMALL_GROUP times, and none has more functions than
 * arcs.
 * Source: components by Pearce, "A space-efficient algorithm for finding strongly connected components"
 * (2016). */
#include "encoding/order.h"

#include <string.h>

enum {
    WEIGHTS = 256,
    DROP_PART = 3,   /* a third of a large group's arcs is dropped at once */
    SMALL_GROUP = 32 /* with so few arcs, only those of one weight are */
};

/* --- arcs -------------------------------------------------------------------------------------- */

static bool may_encode(const struct hcct_edge *edge)
{
    return !edge->pushes && edge->caller != edge->callee;
}

/* Edge numbers by descending weight, then ascending, into forward_edge, which is free until the end. Returns
 * how many may be encoded; the others are left out. */
static uint32_t sort_edges(struct hcct_order *order, const struct hcct_graph *graph)
{
    uint32_t place[WEIGHTS] = { 0 };
    for (uint32_t e = 0; e < graph->edge_count; e++)
        if (may_encode(&graph->edges[e]))
            place[graph->edges[e].weight]++;
    uint32_t sum = 0;
    for (int weight = WEIGHTS - 1; weight >= 0; weight--) {
        uint32_t count = place[weight];
        place[weight] = sum;
        sum += count;
    }
    for (uint32_t e = 0; e < graph->edge_count; e++)
        if (may_encode(&graph->edges[e]))
            order->forward_edge[place[graph->edges[e].weight]++] = e;
    return sum;
}

/* Groups the arcs by caller, hottest first, all live. */
static void lay_out_arcs(struct hcct_order *order, const struct hcct_graph *graph)
{
    struct hcct_search *search = &order->search;
    uint32_t arc_count = sort_edges(order, graph), sum = 0, *live = search->live;
    memset(live, 0, order->function_count * sizeof *live);
    for (uint32_t i = 0; i < arc_count; i++)
        live[graph->edges[order->forward_edge[i]].caller]++;
    for (uint32_t f = 0; f < order->function_count; f++) {
        search->first[f] = sum;
        sum += live[f];
        live[f] = search->first[f];
    }
    search->first[order->function_count] = sum;
    for (uint32_t i = 0; i < arc_count; i++) {
        uint32_t e = order->forward_edge[i];
        const struct hcct_edge *edge = &graph->edges[e];
        order->arc_edge[live[edge->caller]] = e;
        search->arcs[live[edge->caller]++] =
            (struct hcct_arc){ .callee = edge->callee, .weight = edge->weight };
    }
}

/* The search takes its roots from the end: those that nothing calls, then the enterable ones, then the
 * rest. */
static void list_roots(struct hcct_search *search, uint32_t count, const uint8_t *enterable)
{
    uint8_t *rank = search->is_root; /* not in use yet */
    uint32_t left = count;
    memset(rank, 0, count);
    for (uint32_t i = 0; i < search->first[count]; i++)
        rank[search->arcs[i].callee] = 1;
    for (uint32_t f = 0; f < count; f++)
        if (rank[f] && !enterable[f])
            rank[f] = 2;
    for (uint8_t wanted = 0; wanted <= 2; wanted++)
        for (uint32_t f = 0; f < count; f++)
            if (rank[f] == wanted)
                search->functions[--left] = f;
}

/* --- components -------------------------------------------------------------------------------- */

static void open_function(struct hcct_search *search, uint32_t function, uint32_t number)
{
    search->number[function] = number;
    search->cursor[function] = search->first[function];
    search->is_root[function] = 1;
}

/* Follows arcs from the newest open function `f` until one leads to a function not seen (true) or all are
 * done. */
static bool find_unseen(struct hcct_search *search, uint32_t f, uint32_t *unseen)
{
    for (uint32_t i = search->cursor[f]; i < search->live[f]; i++) {
        uint32_t callee = search->arcs[i].callee;
        if (search->number[callee] == 0) {
            search->cursor[f] = i; /* looked at again when the callee is done */
            *unseen = callee;
            return true;
        }
        if (search->number[callee] < search->number[f]) {
            search->number[f] = search->number[callee];
            search->is_root[f] = 0;
        }
    }
    return false;
}

/* Numbers the components of the functions [start, start + count), which the live arcs do not leave: number[f]
 * becomes its component's, at most `count`, in topological order. Lists the functions in post-order in
 * `spare`. Before that, number[f] is the earliest open function that f is known to reach, counted from 1, and
 * below all components'. */
static void find_components(struct hcct_search *search, uint32_t start, uint32_t count)
{
    uint32_t *stack = search->stack; /* grows upwards */
    /* done but without a component; grows downwards: both fit in `count` */
    uint32_t *closed = search->stack + count;
    uint32_t depth = 0, next = 1, component = count, done = 0;
    for (uint32_t i = count; i-- > 0;) {
        uint32_t f = search->functions[start + i];
        if (search->number[f] != 0)
            continue;
        open_function(search, f, next++);
        stack[depth++] = f;
        while (depth > 0) {
            f = stack[depth - 1];
            uint32_t unseen;
            if (find_unseen(search, f, &unseen)) {
                open_function(search, unseen, next++);
                stack[depth++] = unseen;
                continue;
            }
            depth--;
            search->spare[done++] = f;
            if (!search->is_root[f]) {
                *--closed = f;
                continue;
            }
            next--;
            for (; closed < search->stack + count && search->number[*closed] >= search->number[f]; closed++) {
                search->number[*closed] = component;
                next--;
            }
            search->number[f] = component--;
        }
    }
}

/* Sorts the functions of a group by component, stably, and makes each component a group. */
static void regroup(struct hcct_search *search, uint32_t start, uint32_t count)
{
    uint32_t *end = search->cursor;
    memset(end, 0, (count + 1) * sizeof *end);
    for (uint32_t i = 0; i < count; i++)
        end[search->number[search->spare[i]]]++;
    uint32_t sum = start;
    for (uint32_t component = 1; component <= count; component++) {
        uint32_t size = end[component];
        if (size > 0)
            search->length[sum] = size;
        end[component] = sum;
        sum += size;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t f = search->spare[i];
        search->functions[end[search->number[f]]++] = f;
        search->number[f] = 0;
    }
    for (uint32_t i = start; i < start + count; i += search->length[i])
        for (uint32_t j = 0; j < search->length[i]; j++)
            search->group[search->functions[i + j]] = i;
}

/* --- refinement -------------------------------------------------------------------------------- */

/* Takes the arcs that leave the group out of the live ones, and counts the others by weight. */
static uint32_t count_inner_arcs(struct hcct_search *search, uint32_t start, uint32_t count,
                                 uint32_t *by_weight)
{
    uint32_t inner = 0;
    for (uint32_t i = start; i < start + count; i++) {
        uint32_t f = search->functions[i], end = search->first[f];
        for (uint32_t j = end; j < search->live[f]; j++) {
            struct hcct_arc arc = search->arcs[j];
            if (search->group[arc.callee] != start)
                continue;
            if (j != end) {
                search->arcs[j] = search->arcs[end];
                search->arcs[end] = arc; /* keeps the live arcs in order */
            }
            end++;
            by_weight[arc.weight]++;
        }
        inner += end - search->first[f];
        search->live[f] = end;
    }
    return inner;
}

/* Takes the coldest arcs of a group out of the live ones. False if all that are left have one weight. */
static bool drop_coldest(struct hcct_search *search, uint32_t start, uint32_t count)
{
    uint32_t by_weight[WEIGHTS] = { 0 };
    uint32_t inner = count_inner_arcs(search, start, count, by_weight);
    uint32_t wanted = inner <= SMALL_GROUP ? 1 : inner / DROP_PART + 1;
    uint32_t hottest = WEIGHTS - 1, dropped = 0, weight = 0;
    while (hottest > 0 && by_weight[hottest] == 0)
        hottest--;
    while (weight < hottest && dropped < wanted)
        dropped += by_weight[weight++];
    if (dropped == 0)
        return false;
    for (uint32_t i = start; i < start + count; i++) {
        uint32_t f = search->functions[i];
        while (search->live[f] > search->first[f] && search->arcs[search->live[f] - 1].weight < weight)
            search->live[f]--;
    }
    return true;
}

/* In `spare`: the whole group as it stands. */
static void split_group(struct hcct_search *search, uint32_t start, uint32_t count)
{
    find_components(search, start, count);
    memcpy(search->spare, search->functions + start, count * sizeof *search->spare);
    regroup(search, start, count);
}

/* Components in topological order, and in each the functions in reverse post-order. */
static void find_first_order(struct hcct_search *search, uint32_t count)
{
    memset(search->number, 0, count * sizeof *search->number);
    find_components(search, 0, count);
    for (uint32_t i = 0; i < count / 2; i++) {
        uint32_t f = search->spare[i];
        search->spare[i] = search->spare[count - 1 - i];
        search->spare[count - 1 - i] = f;
    }
    regroup(search, 0, count);
}

static void refine(struct hcct_search *search, uint32_t function_count)
{
    for (uint32_t start = 0; start < function_count;) {
        uint32_t count = search->length[start];
        if (count > 1 && drop_coldest(search, start, count))
            split_group(search, start, count);
        else
            start += count;
    }
}

/* --- the result -------------------------------------------------------------------------------- */

static void set_places(struct hcct_order *order)
{
    for (uint32_t i = 0; i < order->function_count; i++)
        order->place[order->functions[i]] = i;
}

/* Makes of a search that is done one over the places of its functions, with the arcs inside groups only:
 * refinement is most of the work, and goes through memory in order so. Its arcs lie where the result will. */
static struct hcct_search by_place(struct hcct_order *order)
{
    const struct hcct_search *done = &order->search;
    struct hcct_search search = *done;
    uint32_t count = 0;
    search.arcs = order->forward;
    search.first = order->forward_first;
    search.functions = order->spare_functions;
    for (uint32_t i = 0; i < order->function_count; i++) {
        uint32_t f = order->functions[i];
        /* alone in its group, a function has no arc in it */
        uint32_t end = done->length[done->group[f]] > 1 ? done->first[f + 1] : done->first[f];
        search.first[i] = count;
        for (uint32_t j = done->first[f]; j < end; j++) {
            struct hcct_arc arc = done->arcs[j];
            if (done->group[arc.callee] != done->group[f])
                continue;
            arc.callee = order->place[arc.callee];
            search.arcs[count++] = arc;
        }
        search.live[i] = count;
        search.functions[i] = i;
    }
    search.first[order->function_count] = count;
    for (uint32_t i = 0; i < order->function_count; i += search.length[i])
        for (uint32_t j = 0; j < search.length[i]; j++)
            search.group[i + j] = i;
    return search;
}

/* Refines the order that the first search found. */
static void refine_order(struct hcct_order *order)
{
    uint32_t count = order->function_count;
    set_places(order);
    struct hcct_search search = by_place(order);
    refine(&search, count);
    for (uint32_t i = 0; i < count; i++)
        search.spare[i] = order->functions[search.functions[i]];
    memcpy(order->functions, search.spare, count * sizeof *order->functions);
    set_places(order);
}

/* Returns the number of arcs that lead backwards. */
static uint32_t list_forward(struct hcct_order *order)
{
    const struct hcct_search *search = &order->search;
    uint32_t count = 0;
    for (uint32_t i = 0; i < order->function_count; i++) {
        uint32_t f = order->functions[i];
        order->forward_first[i] = count;
        for (uint32_t j = search->first[f]; j < search->first[f + 1]; j++) {
            struct hcct_arc arc = search->arcs[j];
            arc.callee = order->place[arc.callee];
            arc.kept = true;
            if (arc.callee < i) {
                order->entered[arc.callee] = 1;
                continue;
            }
            order->forward[count] = arc;
            order->forward_edge[count++] = order->arc_edge[j];
        }
    }
    order->forward_first[order->function_count] = count;
    return search->first[order->function_count] - count;
}

/* Marks what can be entered without an arc. Returns the number of self calls. */
static uint32_t mark_entered(struct hcct_order *order, const struct hcct_graph *graph)
{
    uint32_t self_call_count = 0;
    for (uint32_t f = 0; f < order->function_count; f++)
        order->entered[order->place[f]] = graph->enterable[f] != 0;
    for (uint32_t e = 0; e < graph->edge_count; e++) {
        const struct hcct_edge *edge = &graph->edges[e];
        if (may_encode(edge))
            continue;
        order->entered[order->place[edge->callee]] = 1;
        self_call_count += !edge->pushes;
    }
    return self_call_count;
}

uint32_t hcct_order_find(struct hcct_order *order, const struct hcct_graph *graph)
{
    order->search.functions = order->functions;
    lay_out_arcs(order, graph);
    list_roots(&order->search, order->function_count, graph->enterable);
    find_first_order(&order->search, order->function_count);
    refine_order(order);
    uint32_t self_call_count = mark_entered(order, graph);
    return self_call_count + list_forward(order);
}
