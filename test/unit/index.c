/* The index of a numbering (encoding/index.h) on arrays that are none: it is built only where the conditions
 * hold, and answers every query. */
#include <stdlib.h>
#include <string.h>

#include "test/unit/check.h"
#include "test/unit/program.h"

struct arrays {
    uint64_t base[8], contexts[8];
    uint32_t caller[12], callee[12];
    int64_t delta[12];
};

/* The conditions of hcct_index_build, pair by pair. */
static bool is_numbering(const struct arrays *a, uint32_t functions, uint32_t edges)
{
    for (uint32_t f = 0; f < functions; f++) {
        if (a->base[f] == 0 || a->base[f] >= HCCT_ID_MAX || a->contexts[f] == 0 ||
            a->contexts[f] > HCCT_ID_MAX - a->base[f])
            return false;
        for (uint32_t g = 0; g < f; g++)
            if (a->base[f] < a->base[g] + a->contexts[g] && a->base[g] < a->base[f] + a->contexts[f])
                return false;
    }
    for (uint32_t e = 0; e < edges; e++) {
        uint32_t f = a->caller[e], g = a->callee[e];
        if (f >= functions || (g >= functions && g != HCCT_NO_INDEX))
            return false;
        if (a->delta[e] <= 0)
            continue;
        if (g == HCCT_NO_INDEX)
            return false;
        uint64_t start = a->base[f] + (uint64_t)a->delta[e], end = start + a->contexts[f];
        if (start < a->base[g] || end > a->base[g] + a->contexts[g])
            return false;
        for (uint32_t d = 0; d < e; d++) {
            uint64_t other = a->base[a->caller[d]] + (uint64_t)a->delta[d];
            if (a->delta[d] > 0 && a->callee[d] == g && start < other + a->contexts[a->caller[d]] &&
                other < end)
                return false;
        }
    }
    return true;
}

static void query_everything(const struct hcct_index *index, uint32_t functions)
{
    for (uint64_t id = 0; id < 100; id++) {
        uint64_t now = id == 99 ? UINT64_MAX : id;
        uint32_t f = hcct_index_function(index, now), steps = 0, edge;
        if (f == HCCT_NO_INDEX)
            continue;
        while ((edge = hcct_index_parent(index, f, now, &now)) != HCCT_NO_INDEX) {
            f = index->caller[edge];
            CHECK(hcct_index_function(index, now) == f);
            CHECK(++steps < functions);
        }
    }
    uint64_t unused;
    for (uint32_t f = 0; f <= functions; f++) { /* ids of other functions, and no function */
        (void)hcct_index_parent(index, f, random_bits(), &unused);
        (void)hcct_index_parent(index, f, random_below(64), &unused);
    }
}

static uint64_t strange_number(void)
{
    const uint64_t numbers[] = { 0,         1, HCCT_ID_MAX - 1, HCCT_ID_MAX, INT64_MAX, (uint64_t)INT64_MIN,
                                 UINT64_MAX };
    return random_below(2) ? numbers[random_below(7)] : random_bits() >> random_below(64);
}

/* One number of one of the arrays becomes another. */
static void spoil(struct arrays *a, uint32_t functions, uint32_t edges)
{
    uint32_t f = random_below(functions), e = random_below(edges + 1);
    uint64_t strange = random_below(2) ? strange_number() : random_below(20);
    switch (random_below(edges > e ? 5 : 2)) {
    case 0:
        a->base[f] = strange;
        break;
    case 1:
        a->contexts[f] = strange;
        break;
    case 2:
        a->caller[e] = (uint32_t)strange;
        break;
    case 3:
        a->callee[e] = (uint32_t)strange;
        break;
    case 4:
        a->delta[e] = (int64_t)strange;
        break;
    }
}

static void test_arrays(void)
{
    uint32_t good = 0, bad = 0;
    for (uint32_t round = 0; round < 200000; round++) {
        uint32_t functions = 1 + random_below(8), edges = random_below(13);
        struct program *p =
            random_program(functions, functions > 1 ? edges : 0, 20, 10, HCCT_WEIGHT_PRENUMBERED);
        edges = p->edge_count;
        CHECK(number_program(p, HCCT_ID_FIRST, HCCT_ID_MAX, 0));
        struct arrays *a = calloc(1, sizeof *a);
        memcpy(a->base, p->base, functions * sizeof *p->base);
        memcpy(a->contexts, p->contexts, functions * sizeof *p->contexts);
        memcpy(a->delta, p->delta, edges * sizeof *p->delta);
        for (uint32_t e = 0; e < edges; e++) {
            a->caller[e] = p->edges[e].caller;
            a->callee[e] = p->delta[e] < 0 && random_below(2) ? HCCT_NO_INDEX : p->edges[e].callee;
        }
        for (uint32_t i = random_below(4); i > 0; i--)
            spoil(a, functions, edges);
        struct hcct_index index;
        void *memory = malloc(hcct_index_bytes(functions, edges));
        bool built = hcct_index_build(&index, functions, a->base, a->contexts, edges, a->caller, a->callee,
                                      a->delta, memory);
        CHECK(built == is_numbering(a, functions, edges));
        if (built)
            query_everything(&index, functions);
        good += built;
        bad += !built;
        free(memory);
        free(a);
        free_program(p);
    }
    CHECK(good > 10000 && bad > 10000);
}

int main(void)
{
    test_arrays();
    CHECK_DONE();
}
