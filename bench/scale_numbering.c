/* Numbers generated call graphs of the shape that bench/scale_program.py writes, with the library that the
 * runtime uses.
 *
 *     scale_numbering RUNS FUNCTIONS...
 *
 * A line for each: functions, edges, microseconds of processor time (the least of the runs), bytes of memory,
 * back edges, cut edges. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "encoding/graph.h"
#include "encoding/number.h"

enum { PER_FILE = 2000, USUAL_WEIGHT = 128 };

static uint64_t random_state;

static uint32_t random_below(uint32_t bound)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)((random_state >> 32) * bound >> 32);
}

static uint32_t pick_callee(uint32_t function, uint32_t end, uint32_t count)
{
    uint32_t kind = random_below(100), back = function < 30 ? function : 30,
             near = end - function < 60 ? end - function : 60;
    if (kind < 4)
        return function - random_below(back + 1);
    return function + random_below(kind < 75 ? near : count - function);
}

/* Returns the number of edges. */
static uint32_t generate(uint32_t count, uint8_t *enterable, struct hcct_edge *edges, uint32_t room)
{
    uint32_t edge = 0;
    for (uint32_t f = 0; f < count; f++) {
        uint32_t end = f - f % PER_FILE + PER_FILE < count ? f - f % PER_FILE + PER_FILE : count,
                 first = edge;
        enterable[f] = random_below(2) || f % PER_FILE == 0;
        if (f + 1 < end && edge < room)
            edges[edge++] = (struct hcct_edge){ f, f + 1, USUAL_WEIGHT, false };
        while (random_below(100) < 83 && edge < room)
            edges[edge++] = (struct hcct_edge){ f, pick_callee(f, end, count), USUAL_WEIGHT, false };
        for (uint32_t e = (first + edge) / 2; e < edge; e++)
            edges[e].weight = USUAL_WEIGHT - 1; /* behind a condition */
        for (uint32_t e = first; e < edge; e++)
            edges[e].pushes = edges[e].callee == f;
    }
    return edge;
}

static uint64_t now_us(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory)
        exit(1);
    return memory;
}

static bool measure(uint32_t count, int runs)
{
    uint32_t room = 7 * count;
    uint8_t *enterable = allocate(count, 1);
    struct hcct_edge *edges = allocate(room, sizeof *edges);
    random_state = UINT64_C(0x9e3779b97f4a7c15);
    uint32_t edge_count = generate(count, enterable, edges, room);
    struct hcct_graph graph = { count, edge_count, enterable, edges, HCCT_ID_FIRST, HCCT_ID_MAX / 4 * 3 };
    size_t scratch_bytes = hcct_number_scratch_bytes(count, edge_count);
    size_t bytes = scratch_bytes + (size_t)count * 17 + edge_count * (sizeof *edges + 8);
    struct hcct_numbering numbering = { 0 };
    uint64_t least = UINT64_MAX;
    bool good = true;
    for (int run = 0; run < runs && good; run++) {
        uint64_t start = now_us(); /* with the page faults of its memory */
        numbering.base = allocate(count, 8);
        numbering.contexts = allocate(count, 8);
        numbering.delta = allocate(edge_count, 8);
        void *scratch = allocate(scratch_bytes, 1);
        good = hcct_number(&graph, &numbering, scratch);
        uint64_t took = now_us() - start;
        least = took < least ? took : least;
        free(numbering.base);
        free(numbering.contexts);
        free(numbering.delta);
        free(scratch);
    }
    printf("%" PRIu32 " %" PRIu32 " %" PRIu64 " %zu %" PRIu32 " %" PRIu32 "\n", count, edge_count, least,
           bytes, numbering.back_edge_count, numbering.cut_edge_count);
    free(enterable);
    free(edges);
    return good;
}

int main(int argc, char **argv)
{
    bool good = argc > 2;
    for (int i = 2; i < argc && good; i++)
        good = measure((uint32_t)strtoul(argv[i], NULL, 10), atoi(argv[1]));
    return good ? 0 : 1;
}
