#include "heights/plan/tails.h"

#include <stdlib.h>

/* Functions, and behind them one that stands for all pointers: jumps through pointers lead to it, and from
 * there to each function whose address is taken. */
struct graph {
    const struct hcct_stack_binary *binary;
    bool *is_left;            /* by function: it may lie on a cycle */
    bool *is_entered, *jumps; /* by function, in one round: by one that is left, to one that is left */
};

static void add_edge(struct graph *graph, uint32_t from, uint32_t to)
{
    if (graph->is_left[from] && graph->is_left[to])
        graph->jumps[from] = graph->is_entered[to] = true;
}

static void add_edges(struct graph *graph)
{
    const struct hcct_stack_binary *binary = graph->binary;
    uint32_t pointers = binary->function_count;
    for (uint32_t i = 0; i < binary->call_count; i++) {
        const struct hcct_stack_call *call = &binary->calls[i];
        if (call->kind == HCCT_STACK_JUMP)
            add_edge(graph, call->caller, call->callee);
        else if (call->kind == HCCT_STACK_INDIRECT_JUMP)
            add_edge(graph, call->caller, pointers);
    }
    for (uint32_t i = 0; i < binary->function_count; i++)
        if (binary->functions[i].is_address_taken)
            add_edge(graph, pointers, i);
}

/* Leaves out what nothing jumps to, and what jumps nowhere. False if that is nothing. */
static bool peel(struct graph *graph)
{
    bool changed = false;
    uint32_t count = graph->binary->function_count + 1;
    for (uint32_t i = 0; i < count; i++)
        graph->is_entered[i] = graph->jumps[i] = false;
    add_edges(graph);
    for (uint32_t i = 0; i < count; i++) {
        bool stays = graph->is_left[i] && graph->is_entered[i] && graph->jumps[i];
        changed |= graph->is_left[i] != stays;
        graph->is_left[i] = stays;
    }
    return changed;
}

bool *hcct_tails_find(const struct hcct_stack_binary *binary)
{
    size_t count = (size_t)binary->function_count + 1;
    struct graph graph = { binary, malloc(count), malloc(count), malloc(count) };
    bool *found = graph.is_left && graph.is_entered && graph.jumps ? calloc(count, 1) : NULL;
    for (size_t i = 0; found && i < count; i++)
        graph.is_left[i] = true;
    while (found && peel(&graph)) {
    }
    for (uint32_t i = 0; found && i < binary->call_count; i++) {
        const struct hcct_stack_call *call = &binary->calls[i];
        bool is_tail = call->kind == HCCT_STACK_JUMP || call->kind == HCCT_STACK_INDIRECT_JUMP;
        if (is_tail && !graph.is_left[call->caller])
            found[call->caller] = !binary->functions[call->caller].jumps_to_start;
    }
    free(graph.is_left);
    free(graph.is_entered);
    free(graph.jumps);
    return found;
}
