#include "test/unit/program.h"

#include <stdlib.h>
#include <string.h>

static uint64_t random_state = UINT64_C(0x9e3779b97f4a7c15);

uint64_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

uint32_t random_below(uint32_t bound)
{
    return (uint32_t)((random_bits() >> 32) * bound >> 32);
}

struct program *new_program(uint32_t function_count, uint32_t edge_room)
{
    struct program *p = calloc(1, sizeof *p);
    p->function_count = function_count;
    p->edge_room = edge_room;
    p->enterable = calloc(function_count + 1, 1);
    p->edges = calloc(edge_room + 1, sizeof *p->edges);
    p->base = calloc(function_count + 1, sizeof *p->base);
    p->contexts = calloc(function_count + 1, sizeof *p->contexts);
    p->delta = calloc(edge_room + 1, sizeof *p->delta);
    p->fresh = calloc(function_count + 1, 1);
    p->caller = calloc(edge_room + 1, sizeof *p->caller);
    p->callee = calloc(edge_room + 1, sizeof *p->callee);
    p->index_memory = malloc(hcct_index_bytes(function_count, edge_room));
    return p;
}

void free_program(struct program *p)
{
    void *parts[] = { p->enterable, p->edges,  p->base,   p->contexts,     p->delta,
                      p->fresh,     p->caller, p->callee, p->index_memory, p };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        free(parts[i]);
}

uint32_t add_edge(struct program *p, uint32_t caller, uint32_t callee, uint8_t weight)
{
    if (p->edge_count == p->edge_room)
        abort();
    p->edges[p->edge_count] = (struct hcct_edge){ .caller = caller, .callee = callee, .weight = weight };
    return p->edge_count++;
}

struct program *random_program(uint32_t function_count, uint32_t edge_count, uint32_t back_percent,
                               uint32_t push_percent, uint32_t weights)
{
    struct program *p = new_program(function_count, edge_count);
    for (uint32_t f = 0; f < function_count; f++)
        p->enterable[f] = random_below(8) == 0;
    while (p->edge_count < edge_count) {
        uint32_t f = random_below(function_count), g = random_below(function_count);
        uint32_t low = f < g ? f : g, high = f < g ? g : f;
        bool back = random_below(100) < back_percent;
        if (low == high && !back)
            continue;
        uint32_t e = add_edge(p, back ? high : low, back ? low : high, (uint8_t)random_below(weights));
        p->edges[e].pushes = random_below(100) < push_percent;
    }
    return p;
}

bool number_program(struct program *p, uint64_t first_id, uint64_t id_limit, int poison)
{
    struct hcct_graph graph = {
        .function_count = p->function_count,
        .edge_count = p->edge_count,
        .enterable = p->enterable,
        .edges = p->edges,
        .first_id = first_id,
        .id_limit = id_limit,
    };
    size_t bytes = hcct_number_scratch_bytes(p->function_count, p->edge_count);
    void *scratch = malloc(bytes + 1);
    memset(scratch, poison, bytes);
    memset(p->base, poison, p->function_count * sizeof *p->base);
    memset(p->contexts, poison, p->function_count * sizeof *p->contexts);
    memset(p->delta, poison, p->edge_count * sizeof *p->delta);
    p->numbering = (struct hcct_numbering){ .base = p->base, .contexts = p->contexts, .delta = p->delta };
    p->first_id = first_id;
    bool fits = hcct_number(&graph, &p->numbering, scratch);
    free(scratch);
    return fits;
}
