/* Finds the calls whose delta is positive in whatever program the module becomes part of, so that no code has to ask.
 *
 * The module's calls between functions of its own are numbered here, as if each function could be entered fresh. What
 * that numbering keeps is settled: the runtime's keeps it too (numbering.c), since
 *   1. the edges kept have no cycle among themselves: in a cycle through other modules, those modules' edges can push;
 *   2. if every other edge pushes, they take as many ids as here, of which each function has a share that the
 *      programs there are do not use up (HCCT_SETTLED_IDS).
 * An edge that is not kept is left to the runtime, which knows the whole program; a guess is dropped (guess.c).
 *
 * Where the module is all of the program that is numbered here, the numbering is final: deltas and bases are constants. */
#include <stdlib.h>

#include "encoding/encoding.h"
#include "pass/unit.h"

/* Up to the first, additions of ids have immediate operands; the rest beyond the second is for the objects of the program
 * that are numbered when it starts. */
#define FIXED_LIMIT_NEAR (UINT64_C(1) << 31)
#define FIXED_LIMIT (HCCT_ID_MAX / 4)
#define GUESSES_TAKE 8 /* times the ids, at most: what is left is the program's */
#define CUT_RARELY 20 /* near ids may cost one call in 20, or in more */

/* Of two rounds of settling, guesses have the second: what they take of the ids is not to cost a call by name its place. */
enum round { BY_NAME, GUESSES, ALL };

static bool is_of_round(const struct hcct_call *call, enum round round)
{
    return round == ALL || (round == GUESSES ? call->settled || call->guess : !call->guess);
}

static uint32_t list_edges(struct hcct_unit *unit, enum round round, struct hcct_edge *edges)
{
    uint32_t count = 0;
    for (size_t i = 0; i < unit->target_count; i++)
        for (uint32_t j = 0; j < unit->targets[i].call_count; j++) {
            const struct hcct_call *call = &unit->targets[i].calls[j];
            if (call->kind != HCCT_SITE_LOCAL)
                continue;
            struct hcct_target *callee = hcct_unit_target(unit, call->callee);
            if (edges)
                edges[count] = (struct hcct_edge){ .caller = (uint32_t)i,
                                                   .callee = (uint32_t)(callee - unit->targets),
                                                   .weight = call->settled ? HCCT_WEIGHT_SETTLED : call->weight,
                                                   .pushes = call->pushes || !is_of_round(call, round) };
            count++;
        }
    return count;
}

/* Calls that push then need no delta in the program, but for tail calls, whose code looks at it. */
static void fix(struct hcct_unit *unit, const struct hcct_numbering *numbering)
{
    const int64_t *delta = numbering->delta;
    for (size_t i = 0; i < unit->target_count; i++) {
        struct hcct_target *target = &unit->targets[i];
        target->base = numbering->base[i];
        target->contexts = numbering->contexts[i];
        for (uint32_t j = 0; j < target->call_count; j++) {
            struct hcct_call *call = &target->calls[j];
            if (call->kind != HCCT_SITE_LOCAL)
                continue;
            call->delta = *delta++;
            call->settled = call->delta > 0;
            call->pushes = call->delta < 0 && !call->tail;
        }
    }
}

static void mark(struct hcct_unit *unit, const int64_t *delta)
{
    for (size_t i = 0; i < unit->target_count; i++)
        for (uint32_t j = 0; j < unit->targets[i].call_count; j++) {
            struct hcct_call *call = &unit->targets[i].calls[j];
            if (call->kind == HCCT_SITE_LOCAL)
                call->settled = *delta++ > 0;
        }
}

static bool fix_calls(struct hcct_unit *unit, struct hcct_graph *graph, struct hcct_edge *edges, struct hcct_numbering *numbering,
                      void *scratch)
{
    (void)list_edges(unit, ALL, edges);
    graph->id_limit = FIXED_LIMIT_NEAR;
    bool done = hcct_number(graph, numbering, scratch);
    if (!done || numbering->cut_edge_count > graph->edge_count / CUT_RARELY) {
        graph->id_limit = FIXED_LIMIT;
        done = hcct_number(graph, numbering, scratch);
    }
    if (done)
        fix(unit, numbering);
    return done;
}

static void settle(struct hcct_unit *unit, struct hcct_graph *graph, struct hcct_edge *edges, struct hcct_numbering *numbering,
                   void *scratch)
{
    uint64_t most = graph->function_count * HCCT_SETTLED_IDS;
    (void)list_edges(unit, BY_NAME, edges); /* none is settled yet */
    graph->id_limit = HCCT_ID_FIRST + most;
    if (!hcct_number(graph, numbering, scratch))
        return;
    mark(unit, numbering->delta);
    uint64_t taken = numbering->end_id - HCCT_ID_FIRST;
    (void)list_edges(unit, GUESSES, edges);
    graph->id_limit = HCCT_ID_FIRST + (taken < most / GUESSES_TAKE ? GUESSES_TAKE * taken : most);
    if (hcct_number(graph, numbering, scratch))
        mark(unit, numbering->delta);
}

void hcct_settle_calls(struct hcct_unit *unit)
{
    uint32_t function_count = (uint32_t)unit->target_count, edge_count = list_edges(unit, ALL, NULL);
    uint8_t *enterable = malloc(function_count);
    struct hcct_edge *edges = calloc(edge_count + 1, sizeof *edges);
    uint64_t *base = calloc(function_count, sizeof *base),
             *contexts = calloc(function_count, sizeof *contexts);
    int64_t *delta = calloc(edge_count + 1, sizeof *delta);
    bool fixed = false;
    void *scratch = malloc(hcct_number_scratch_bytes(function_count, edge_count) + 1);
    if (enterable && edges && base && contexts && delta && scratch) {
        for (uint32_t i = 0; i < function_count; i++)
            enterable[i] = !unit->fixed || unit->targets[i].enterable;
        struct hcct_graph graph = { function_count, edge_count, enterable, edges, HCCT_ID_FIRST, 0 };
        struct hcct_numbering numbering = { .base = base, .contexts = contexts, .delta = delta };
        if (unit->fixed)
            fixed = fix_calls(unit, &graph, edges, &numbering, scratch);
        else
            settle(unit, &graph, edges, &numbering, scratch);
    }
    unit->fixed = fixed;
    free(enterable);
    free(edges);
    free(base);
    free(contexts);
    free(delta);
    free(scratch);
}
