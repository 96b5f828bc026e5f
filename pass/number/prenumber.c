/* Prenumbers calls: finds the calls within a module whose delta is positive in every program that the module
 * becomes part of. Their code tests nothing.
 *
 * The module's calls between functions of its own are numbered here, as if every function could be entered
 * from outside. A call whose delta is positive is prenumbered. The runtime numbers the whole program
 * (encoding/number.c), and gives every prenumbered call a positive delta, since
 *   1. prenumbered calls have no cycle among themselves. Where they are part of a cycle through other
 *      modules, a call of those modules can push;
 *   2. if all other calls push, the prenumbered ones take as many ids as here. Each function may take a share
 *      (HCCT_PRENUMBERED_IDS) that real programs do not use up.
 * Of the other calls, one that closes a cycle of prenumbered ones pushes in every program. The rest is left
 * to the runtime; a guess is dropped (guess.c).
 *
 * In a unit with fixed ids the module is the whole program, and the numbering is final: deltas and first ids
 * are constants. */
#include "pass/number/prenumber.h"

#include <stdlib.h>
#include <string.h>

#include "encoding/graph.h"
#include "encoding/number.h"

/* Ids below the first limit fit into an instruction. Those above the second are left to shared objects, which
 * are numbered when the program starts. */
#define FIXED_LIMIT_NEAR (UINT64_C(1) << 31)
#define FIXED_LIMIT (UINT64_C(1) << 48)
#define GUESSES_TAKE 8 /* guesses may multiply the ids by this: the program needs the rest */
#define CUT_RARELY 20  /* for near ids, at most one call in 20 may push that would not have to */

/* Which calls a round numbers. Calls by name go first, so that guesses take no ids from them. */
enum round { BY_NAME, GUESSES, ALL };

static bool is_of_round(const struct hcct_call *call, enum round round)
{
    return round == ALL || (round == GUESSES ? call->prenumbered || call->guess : !call->guess);
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
                edges[count] =
                    (struct hcct_edge){ .caller = (uint32_t)i,
                                        .callee = (uint32_t)(callee - unit->targets),
                                        .weight = call->prenumbered ? HCCT_WEIGHT_PRENUMBERED : call->weight,
                                        .pushes = call->pushes || !is_of_round(call, round) };
            count++;
        }
    return count;
}

/* --- the graph and its numbering ----------------------------------------------------------------- */

struct module {
    struct hcct_unit *unit;
    struct hcct_graph graph;
    struct hcct_edge *edges; /* graph.edges; by caller */
    uint8_t *enterable;      /* graph.enterable */
    struct hcct_numbering numbering, next;
    void *scratch;
    /* of a search from `seen[f] - 1` along edges of HCCT_WEIGHT_PRENUMBERED: */
    uint32_t *first; /* [functions + 1] edges by caller */
    uint32_t *seen;  /* [functions] */
    uint32_t *stack; /* [functions] */
    uint32_t *open;  /* [edges] by callee */
    uint64_t steps;  /* that are left */
};

static bool allocate_numbering(const struct module *module, struct hcct_numbering *numbering)
{
    numbering->base = calloc(module->graph.function_count, sizeof *numbering->base);
    numbering->contexts = calloc(module->graph.function_count, sizeof *numbering->contexts);
    numbering->delta = calloc(module->graph.edge_count + 1, sizeof *numbering->delta);
    return numbering->base && numbering->contexts && numbering->delta;
}

static void free_numbering(struct hcct_numbering *numbering)
{
    free(numbering->base);
    free(numbering->contexts);
    free(numbering->delta);
}

static bool open_module(struct module *module, struct hcct_unit *unit)
{
    uint32_t functions = (uint32_t)unit->target_count, edges = list_edges(unit, ALL, NULL);
    *module = (struct module){ .unit = unit };
    module->edges = calloc(edges + 1, sizeof *module->edges);
    module->enterable = malloc(functions);
    module->graph =
        (struct hcct_graph){ functions, edges, module->enterable, module->edges, HCCT_ID_FIRST, 0 };
    module->scratch = malloc(hcct_number_scratch_bytes(functions, edges) + 1);
    module->first = malloc((functions + 1) * sizeof *module->first);
    module->seen = malloc(functions * sizeof *module->seen);
    module->stack = malloc(functions * sizeof *module->stack);
    module->open = malloc((edges + 1) * sizeof *module->open);
    bool allocated = allocate_numbering(module, &module->numbering);
    allocated = allocate_numbering(module, &module->next) && allocated;
    if (!allocated || !module->edges || !module->enterable || !module->scratch || !module->first ||
        !module->seen || !module->stack || !module->open)
        return false;
    for (uint32_t i = 0; i < functions; i++)
        module->enterable[i] = !unit->fixed || unit->targets[i].enterable;
    return true;
}

static void close_module(struct module *module)
{
    free_numbering(&module->numbering);
    free_numbering(&module->next);
    free(module->edges);
    free(module->enterable);
    free(module->scratch);
    free(module->first);
    free(module->seen);
    free(module->stack);
    free(module->open);
}

static bool number(struct module *module, uint64_t limit)
{
    module->graph.id_limit = limit;
    return hcct_number(&module->graph, &module->numbering, module->scratch);
}

/* --- cycles ------------------------------------------------------------------------------------ */

#define ROUNDS 3
#define SEARCH_STEPS 64 /* times the edges, and SEARCH_STEPS_LEAST: then the rest is left as it is */
#define SEARCH_STEPS_LEAST (1u << 22)

static void reach(struct module *module, uint32_t from)
{
    uint32_t depth = 0;
    module->stack[depth++] = from;
    module->seen[from] = from + 1;
    while (depth > 0) {
        uint32_t f = module->stack[--depth];
        for (uint32_t e = module->first[f]; e < module->first[f + 1] && module->steps; e++, module->steps--) {
            const struct hcct_edge *edge = &module->edges[e];
            if (edge->weight != HCCT_WEIGHT_PRENUMBERED || module->seen[edge->callee] == from + 1)
                continue;
            module->seen[edge->callee] = from + 1;
            module->stack[depth++] = edge->callee;
        }
    }
}

/* Lists the edges that are neither prenumbered nor known to push, by callee, in `open`. Sets `first`. */
static uint32_t list_open(struct module *module)
{
    uint32_t functions = module->graph.function_count, edges = module->graph.edge_count, count = 0;
    uint32_t *end = module->seen;
    memset(module->first, 0, (functions + 1) * sizeof *module->first);
    memset(end, 0, functions * sizeof *end);
    for (uint32_t e = 0; e < edges; e++) {
        const struct hcct_edge *edge = &module->edges[e];
        module->first[edge->caller + 1]++;
        end[edge->callee] += edge->weight != HCCT_WEIGHT_PRENUMBERED && !edge->pushes;
    }
    for (uint32_t f = 0; f < functions; f++) {
        module->first[f + 1] += module->first[f];
        count += end[f];
        end[f] = count - end[f];
    }
    for (uint32_t e = 0; e < edges; e++) {
        const struct hcct_edge *edge = &module->edges[e];
        if (edge->weight != HCCT_WEIGHT_PRENUMBERED && !edge->pushes)
            module->open[end[edge->callee]++] = e;
    }
    return count;
}

/* Gives edges with a positive delta HCCT_WEIGHT_PRENUMBERED. An edge pushes if such edges lead from its
 * callee back to its caller. Whether some edges are neither. */
static bool divide(struct module *module)
{
    struct hcct_edge *edges = module->edges;
    for (uint32_t e = 0; e < module->graph.edge_count; e++)
        if (module->numbering.delta[e] > 0)
            edges[e].weight = HCCT_WEIGHT_PRENUMBERED;
    uint32_t open_count = list_open(module), left = 0;
    memset(module->seen, 0, module->graph.function_count * sizeof *module->seen);
    for (uint32_t i = 0; i < open_count; i++) {
        struct hcct_edge *edge = &edges[module->open[i]];
        if (i == 0 || edge->callee != edges[module->open[i - 1]].callee)
            reach(module, edge->callee);
        edge->pushes = module->seen[edge->caller] == edge->callee + 1;
        left += !edge->pushes;
    }
    return left > 0;
}

/* Numbers again, without the edges that turned out to push. In the first order more edges lead backwards than
 * close a cycle: most of these then get a positive delta. */
static void number_more(struct module *module)
{
    module->steps = (uint64_t)module->graph.edge_count * SEARCH_STEPS + SEARCH_STEPS_LEAST;
    for (int round = 1; divide(module) && round < ROUNDS; round++) {
        if (!hcct_number(&module->graph, &module->next, module->scratch))
            break;
        struct hcct_numbering numbered = module->next;
        module->next = module->numbering;
        module->numbering = numbered;
    }
}

/* --- what becomes of the calls ------------------------------------------------------------------ */

/* Takes over the final numbering. A call with a negative delta pushes; a tail call's code tests the delta,
 * and so is left to do that. */
static void fix(const struct module *module)
{
    const int64_t *delta = module->numbering.delta;
    for (uint32_t i = 0; i < module->graph.function_count; i++) {
        struct hcct_target *target = &module->unit->targets[i];
        target->base = module->numbering.base[i];
        target->contexts = module->numbering.contexts[i];
        for (uint32_t j = 0; j < target->call_count; j++) {
            struct hcct_call *call = &target->calls[j];
            if (call->kind != HCCT_SITE_LOCAL)
                continue;
            call->delta = *delta++;
            call->prenumbered = call->delta > 0;
            call->pushes = call->delta < 0 && !call->tail;
        }
    }
}

/* Takes over what a round found. A call that closes a cycle of prenumbered ones pushes in every program, and
 * needs no test either. */
static void mark(const struct module *module, enum round round)
{
    uint32_t edge = 0;
    for (uint32_t i = 0; i < module->graph.function_count; i++)
        for (uint32_t j = 0; j < module->unit->targets[i].call_count; j++) {
            struct hcct_call *call = &module->unit->targets[i].calls[j];
            if (call->kind != HCCT_SITE_LOCAL)
                continue;
            call->prenumbered = module->numbering.delta[edge] > 0;
            if (round == BY_NAME && !call->guess)
                call->pushes = module->edges[edge].pushes && !call->tail;
            edge++;
        }
}

/* Edges that push although they close no cycle. */
static uint32_t cut_count(const struct module *module)
{
    uint32_t count = 0;
    for (uint32_t e = 0; e < module->graph.edge_count; e++)
        count += module->edges[e].weight != HCCT_WEIGHT_PRENUMBERED && !module->edges[e].pushes;
    return count;
}

static bool fix_calls_below(struct module *module, uint64_t limit)
{
    (void)list_edges(module->unit, ALL, module->edges);
    if (!number(module, limit))
        return false;
    number_more(module);
    return true;
}

static bool fix_calls(struct module *module)
{
    bool done = fix_calls_below(module, FIXED_LIMIT_NEAR);
    if (!done || cut_count(module) > module->graph.edge_count / CUT_RARELY)
        done = fix_calls_below(module, FIXED_LIMIT);
    if (done)
        fix(module);
    return done;
}

static void prenumber(struct module *module)
{
    uint64_t most = module->graph.function_count * HCCT_PRENUMBERED_IDS;
    (void)list_edges(module->unit, BY_NAME, module->edges); /* none is prenumbered yet */
    if (!number(module, HCCT_ID_FIRST + most / GUESSES_TAKE))
        return;
    number_more(module);
    mark(module, BY_NAME);
    uint64_t taken = module->numbering.end_id - HCCT_ID_FIRST;
    (void)list_edges(module->unit, GUESSES, module->edges);
    if (number(module, HCCT_ID_FIRST + GUESSES_TAKE * taken))
        mark(module, GUESSES);
}

void hcct_prenumber_calls(struct hcct_unit *unit)
{
    struct module module;
    bool opened = open_module(&module, unit);
    if (opened && !unit->fixed)
        prenumber(&module);
    unit->fixed = unit->fixed && opened && fix_calls(&module);
    close_module(&module);
}
