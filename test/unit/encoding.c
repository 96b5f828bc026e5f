/* The numbering and its index. Small graphs are held against all their acyclic paths, enumerated here; large
 * ones against random walks, and against the definition of contexts(f), recomputed from the deltas. */

#include <stdlib.h>
#include <string.h>

#include "test/unit/check.h"
#include "test/unit/program.h"
#include "test/unit/work.h"

enum { WALK_MAX = 4096 };

/* --- graphs -------------------------------------------------------------------------------------- */

/* Calls of near functions: far more paths than ids. */
static struct program *deep_program(uint32_t function_count, uint32_t edge_count)
{
    struct program *p = new_program(function_count, edge_count);
    while (p->edge_count < edge_count) {
        uint32_t f = random_below(function_count - 1), span = function_count - 1 - f;
        uint32_t callee = f + 1 + random_below(span < 1000 ? span : 1000);
        if (random_below(20) == 0)
            callee = random_below(f + 1);
        add_edge(p, f, callee, (uint8_t)(random_below(2) ? 128 : 90 + random_below(60)));
    }
    return p;
}

/* --- numbering and its definition -------------------------------------------------------------- */

static bool build_index(struct program *p)
{
    for (uint32_t e = 0; e < p->edge_count; e++) {
        p->caller[e] = p->edges[e].caller;
        p->callee[e] = p->edges[e].callee;
    }
    return hcct_index_build(&p->index, p->function_count, p->base, p->contexts, p->edge_count, p->caller,
                            p->callee, p->delta, p->index_memory);
}

/* Are contexts and deltas what the header of number.h says? The index refuses ranges that meet and edges
 * that leave their callee's range or overlap, so equal sums mean that ids are used once, and all of them. */
static void check_definition(struct program *p, uint64_t id_limit)
{
    uint64_t *sum = calloc(p->function_count + 1, sizeof *sum), total = 0;
    uint32_t pushing = 0, demanded = 0;
    memcpy(p->fresh, p->enterable, p->function_count);
    for (uint32_t e = 0; e < p->edge_count; e++) {
        const struct hcct_edge *edge = &p->edges[e];
        demanded += edge->pushes;
        if (p->delta[e] > 0) {
            CHECK(!edge->pushes);
            sum[edge->callee] += p->contexts[edge->caller];
            continue;
        }
        pushing++;
        p->fresh[edge->callee] = 1;
        CHECK(p->delta[e] == (HCCT_DELTA_SIGN | (int64_t)p->base[edge->callee]));
    }
    for (uint32_t f = 0; f < p->function_count; f++) {
        if (sum[f] == 0)
            p->fresh[f] = 1;
        CHECK(p->contexts[f] == sum[f] + p->fresh[f] * HCCT_ID_UNIT);
        CHECK(p->base[f] >= p->first_id);
        total += p->contexts[f];
    }
    CHECK(p->numbering.end_id == p->first_id + total);
    CHECK(p->numbering.end_id <= id_limit);
    CHECK(pushing == demanded + p->numbering.back_edge_count + p->numbering.cut_edge_count);
    CHECK(build_index(p));
    free(sum);
}

/* Numbers twice in memory with different content, and checks the result. */
static void check_numbering(struct program *p, uint64_t first_id, uint64_t id_limit)
{
    CHECK(number_program(p, first_id, id_limit, 0xa5));
    int64_t *delta = malloc((p->edge_count + 1) * sizeof *delta);
    memcpy(delta, p->delta, p->edge_count * sizeof *delta);
    struct hcct_numbering once = p->numbering;
    CHECK(number_program(p, first_id, id_limit, 0x5a));
    CHECK(memcmp(delta, p->delta, p->edge_count * sizeof *delta) == 0);
    CHECK(memcmp(&once, &p->numbering, sizeof once) == 0);
    free(delta);
    check_definition(p, id_limit);
}

/* --- paths ------------------------------------------------------------------------------------- */

/* Does the id decode to this path, which ends in `function` and is given from its root? */
static void check_decodes(const struct program *p, uint64_t id, uint32_t function, const uint32_t *path,
                          uint32_t length)
{
    CHECK(id >= p->base[function] && id - p->base[function] < p->contexts[function]);
    CHECK(hcct_index_function(&p->index, id) == function);
    while (length > 0) {
        uint32_t edge = hcct_index_parent(&p->index, function, id, &id);
        CHECK(edge == path[length - 1]);
        if (edge != path[--length])
            return;
        function = p->edges[edge].caller;
    }
    CHECK(hcct_index_parent(&p->index, function, id, &id) == HCCT_NO_INDEX);
}

struct enumeration {
    const struct program *program;
    uint8_t *seen; /* by id, in units */
    uint64_t count;
    uint32_t path[64];
};

static void enumerate(struct enumeration *all, uint32_t function, uint64_t id, uint32_t length)
{
    const struct program *p = all->program;
    if (length >= 64 || id < p->first_id || id >= p->numbering.end_id) {
        CHECK(!"a path that is too long or has no id");
        return;
    }
    uint64_t number = (id - p->first_id) / HCCT_ID_UNIT;
    CHECK((id - p->first_id) % HCCT_ID_UNIT == 0 && !all->seen[number]);
    all->seen[number] = 1;
    all->count++;
    check_decodes(p, id, function, all->path, length);
    for (uint32_t e = 0; e < p->edge_count; e++) {
        if (p->edges[e].caller != function || p->delta[e] <= 0)
            continue;
        all->path[length] = e;
        enumerate(all, p->edges[e].callee, id + (uint64_t)p->delta[e], length + 1);
    }
}

/* All paths have ids of their own, and all ids are those of paths. */
static void check_all_paths(struct program *p)
{
    uint64_t id_count = (p->numbering.end_id - p->first_id) / HCCT_ID_UNIT;
    struct enumeration all = { .program = p, .seen = calloc(id_count + 1, 1) };
    for (uint32_t f = 0; f < p->function_count; f++)
        if (p->fresh[f])
            enumerate(&all, f, p->base[f], 0);
    CHECK(all.count == id_count);
    CHECK(hcct_index_function(&p->index, p->first_id - 1) == HCCT_NO_INDEX);
    CHECK(hcct_index_function(&p->index, p->numbering.end_id) == HCCT_NO_INDEX);
    free(all.seen);
}

/* Walks along encoded edges from functions that can be entered fresh. */
static void check_walks(struct program *p, uint32_t walk_count)
{
    uint32_t *first = calloc(p->function_count + 2, sizeof *first),
             *out = calloc(p->edge_count + 1, sizeof *out);
    uint32_t *path = malloc(WALK_MAX * sizeof *path);
    for (uint32_t e = 0; e < p->edge_count; e++)
        first[p->edges[e].caller + 2] += p->delta[e] > 0;
    for (uint32_t f = 0; f < p->function_count; f++)
        first[f + 2] += first[f + 1];
    for (uint32_t e = 0; e < p->edge_count; e++)
        if (p->delta[e] > 0)
            out[first[p->edges[e].caller + 1]++] = e;
    for (uint32_t walk = 0; walk < walk_count;) {
        uint32_t f = random_below(p->function_count), length = 0;
        if (!p->fresh[f])
            continue;
        uint64_t id = p->base[f];
        while (length < WALK_MAX && first[f + 1] > first[f] && random_below(12) > 0) {
            uint32_t e = out[first[f] + random_below(first[f + 1] - first[f])];
            path[length++] = e;
            id += (uint64_t)p->delta[e];
            f = p->edges[e].callee;
        }
        check_decodes(p, id, f, path, length);
        walk++;
    }
    free(first);
    free(out);
    free(path);
}

/* Every id decodes to a path that encodes to it. */
static void check_random_ids(const struct program *p, uint32_t id_count)
{
    for (uint32_t i = 0; i < id_count; i++) {
        uint64_t all = (p->numbering.end_id - p->first_id) / HCCT_ID_UNIT;
        uint64_t id = p->first_id + random_bits() % all * HCCT_ID_UNIT, now = id, sum = 0;
        uint32_t f = hcct_index_function(&p->index, id), edge, length = 0;
        CHECK(f != HCCT_NO_INDEX);
        while (f != HCCT_NO_INDEX && (edge = hcct_index_parent(&p->index, f, now, &now)) != HCCT_NO_INDEX) {
            sum += (uint64_t)p->delta[edge];
            CHECK(p->edges[edge].callee == f && length++ < p->function_count);
            f = p->edges[edge].caller;
        }
        CHECK(f != HCCT_NO_INDEX && p->fresh[f] && now == p->base[f] && now + sum == id);
    }
}

/* --- tests: small graphs ----------------------------------------------------------------------- */

static void test_small_graphs(void)
{
    for (uint32_t round = 0; round < 3000; round++) {
        uint32_t functions = 1 + random_below(9), weights = random_below(2) ? HCCT_WEIGHT_PRENUMBERED : 3;
        struct program *p = random_program(functions, functions > 1 ? random_below(20) : 0, random_below(60),
                                           random_below(20), weights);
        uint64_t first_id = HCCT_ID_FIRST + random_below(1000) * HCCT_ID_UNIT;
        check_numbering(p, first_id, HCCT_ID_MAX);
        CHECK(p->numbering.cut_edge_count == 0);
        check_all_paths(p);
        uint64_t all = (p->numbering.end_id - first_id) / HCCT_ID_UNIT;
        uint64_t room = functions + (uint64_t)random_below((uint32_t)(all - functions) + 1);
        check_numbering(p, first_id, first_id + room * HCCT_ID_UNIT);
        check_all_paths(p);
        CHECK(room < all || p->numbering.cut_edge_count == 0);
        CHECK(!number_program(p, first_id, first_id + functions * HCCT_ID_UNIT - 1, 0));
        free_program(p);
    }
}

static void test_edge_cases(void)
{
    struct program *p = new_program(0, 0);
    check_numbering(p, HCCT_ID_FIRST, HCCT_ID_FIRST);
    CHECK(hcct_index_function(&p->index, HCCT_ID_FIRST) == HCCT_NO_INDEX);
    CHECK(!number_program(p, HCCT_ID_FIRST + 1, HCCT_ID_FIRST, 0));
    free_program(p);

    p = new_program(2, 3); /* a self loop, and a call that must push */
    add_edge(p, 0, 0, 254);
    add_edge(p, 0, 1, 128);
    p->edges[add_edge(p, 0, 1, 254)].pushes = true;
    check_numbering(p, HCCT_ID_FIRST, HCCT_ID_MAX);
    CHECK(p->contexts[0] == HCCT_ID_UNIT && p->contexts[1] == 2 * HCCT_ID_UNIT &&
          p->numbering.back_edge_count == 1);
    check_all_paths(p);
    free_program(p);
}

/* However it is entered, a cycle is broken at its coldest edge. */
static void test_cold_edge_breaks_cycle(void)
{
    for (uint32_t length = 2; length < 12; length++)
        for (uint32_t cold = 0; cold < length; cold++)
            for (uint32_t entry = 0; entry < length; entry++) {
                struct program *p = new_program(length, length);
                p->enterable[entry] = 1;
                for (uint32_t i = 0; i < length; i++)
                    add_edge(p, i, (i + 1) % length, i == cold ? 10 : (uint8_t)(128 + i));
                check_numbering(p, HCCT_ID_FIRST, HCCT_ID_MAX);
                CHECK(p->numbering.back_edge_count == 1 && p->delta[cold] < 0);
                free_program(p);
            }
}

/* --- tests: more contexts than ids ------------------------------------------------------------- */

/* A chain of `count` diamonds, function 3i to 3i + 3, each by two sides of weight `cold`, or directly by
 * `hot`. */
static struct program *diamonds(uint32_t count, uint8_t cold, uint8_t hot)
{
    struct program *p = new_program(3 * count + 1, 5 * count);
    p->enterable[0] = 1;
    for (uint32_t f = 0; f < 3 * count; f += 3) {
        add_edge(p, f, f + 1, cold);
        add_edge(p, f, f + 2, cold);
        add_edge(p, f + 3 - 2, f + 3, cold);
        add_edge(p, f + 3 - 1, f + 3, cold);
        add_edge(p, f, f + 3, hot);
    }
    return p;
}

static void test_diamonds(void)
{
    struct program *p = diamonds(200, 128, 128);
    check_numbering(p, HCCT_ID_FIRST, HCCT_ID_MAX);
    CHECK(p->numbering.back_edge_count == 0);
    /* 3^200: every 29 of 200, or so */
    CHECK(p->numbering.cut_edge_count > 0 && p->numbering.cut_edge_count <= 60);
    check_walks(p, 20000);
    check_random_ids(p, 20000);
    free_program(p);

    /* With all sides cut, the direct path alone takes 201 * 202 / 2 + 400 ids. */
    const uint64_t limits[] = { HCCT_ID_MAX / HCCT_ID_UNIT, UINT64_C(1) << 39, 1 << 20, 25000, 1500, 602 };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        p = diamonds(200, 10, 200);
        check_numbering(p, HCCT_ID_FIRST, limits[i] * HCCT_ID_UNIT);
        for (uint32_t e = 0; e < p->edge_count; e++)
            CHECK(p->edges[e].weight == 10 || p->delta[e] > 0 || limits[i] < 20701);
        check_walks(p, 2000);
        free_program(p);
    }
}

/* A chain in which each function calls the next one 2048 times: sums that pass 2^64 must not look
 * small. */
static void test_many_calls(void)
{
    enum { FUNCTIONS = 64, CALLS = 2048 };
    for (unsigned hot = 0; hot <= CALLS; hot += CALLS / 4) {
        struct program *p = new_program(FUNCTIONS, (FUNCTIONS - 1) * CALLS);
        p->enterable[0] = 1;
        for (uint32_t f = 0; f + 1 < FUNCTIONS; f++)
            for (uint32_t i = 0; i < CALLS; i++)
                add_edge(p, f, f + 1, i < hot ? 200 : 10);
        check_numbering(p, HCCT_ID_FIRST, HCCT_ID_MAX);
        /* five steps of 2^11 calls are 2^55, the sixth has 2^66: without its carry, all would seem to fit */
        CHECK(p->numbering.cut_edge_count >= FUNCTIONS / 6 * CALLS / 2);
        CHECK(p->numbering.end_id > HCCT_ID_MAX / 2048);
        check_walks(p, 2000);
        free_program(p);
    }
}

/* Cutting in one corner leaves the rest alone, however cold. */
static void test_cuts_are_local(void)
{
    struct program *p = diamonds(200, 128, 128);
    uint32_t n = p->function_count;
    struct program *both = new_program(n + 1000, p->edge_count + 999);
    for (uint32_t e = 0; e < p->edge_count; e++)
        add_edge(both, p->edges[e].caller, p->edges[e].callee, 128);
    for (uint32_t i = 1; i < 1000; i++)
        add_edge(both, n + i - 1, n + i, 0);
    check_numbering(both, HCCT_ID_FIRST, HCCT_ID_MAX);
    for (uint32_t e = p->edge_count; e < both->edge_count; e++)
        CHECK(both->delta[e] > 0);
    free_program(p);
    free_program(both);
}

/* All contexts, where of an acyclic graph in topological order these edges are encoded. */
static uint64_t count_contexts(const struct program *p, uint32_t encoded)
{
    uint64_t contexts[16] = { 0 }, total = 0;
    for (uint32_t f = 0; f < p->function_count; f++) {
        bool fresh = p->enterable[f];
        for (uint32_t e = 0; e < p->edge_count; e++) {
            fresh |= p->edges[e].callee == f && !(encoded >> e & 1);
            contexts[f] += p->edges[e].callee == f && encoded >> e & 1 ? contexts[p->edges[e].caller] : 0;
        }
        contexts[f] += fresh || !contexts[f];
        total += contexts[f];
    }
    return total;
}

/* What is kept of small graphs has at least 80% of the value (2^weight) that the best way to cut them keeps,
 * as a search through all ways tells. */
static void test_cuts_are_good(void)
{
    enum { EDGES = 10 };
    uint64_t best_values = 0, found_values = 0;
    for (uint32_t round = 0; round < 1500; round++) {
        struct program *p = random_program(4 + random_below(5), EDGES, 0, 0, 1 + random_below(4));
        uint64_t all = count_contexts(p, (1u << EDGES) - 1), best = 0, found = 0;
        uint64_t room = p->function_count + random_below((uint32_t)(all - p->function_count) + 1);
        for (uint32_t encoded = 0; encoded < 1u << EDGES; encoded++) {
            uint64_t value = 0;
            for (uint32_t e = 0; e < EDGES; e++)
                value += encoded >> e & 1 ? UINT64_C(1) << p->edges[e].weight : 0;
            if (value > best && count_contexts(p, encoded) <= room)
                best = value;
        }
        check_numbering(p, HCCT_ID_FIRST, HCCT_ID_FIRST + room * HCCT_ID_UNIT);
        for (uint32_t e = 0; e < EDGES; e++)
            found += p->delta[e] > 0 ? UINT64_C(1) << p->edges[e].weight : 0;
        CHECK(found <= best);
        best_values += best;
        found_values += found;
        free_program(p);
    }
    printf("cuts of small graphs: %.2f%% of the best value is kept\n",
           100 * (double)found_values / (double)best_values);
    CHECK(found_values > best_values / 100 * 80);
}

/* --- tests: prenumbered edges ---------------------------------------------------------------------- */

/* Marks what the numbering of [start, start + count) by itself keeps, with that much room
 * (pass/number/prenumber.c). */
static uint32_t settle(struct program *p, uint32_t start, uint32_t count)
{
    struct program *module = new_program(count, p->edge_count + 1);
    uint32_t *edges = malloc((p->edge_count + 1) * sizeof *edges), prenumbered = 0;
    memset(module->enterable, 1, count);
    for (uint32_t e = 0; e < p->edge_count; e++) {
        const struct hcct_edge *edge = &p->edges[e];
        if (edge->caller - start < count && edge->callee - start < count)
            edges[add_edge(module, edge->caller - start, edge->callee - start, edge->weight)] = e;
    }
    check_numbering(module, HCCT_ID_FIRST, HCCT_ID_FIRST + count * HCCT_PRENUMBERED_IDS);
    for (uint32_t e = 0; e < module->edge_count; e++)
        if (module->delta[e] > 0) {
            p->edges[edges[e]].weight = HCCT_WEIGHT_PRENUMBERED;
            prenumbered++;
        }
    free(edges);
    free_program(module);
    return prenumbered;
}

/* What each module settles by itself, the whole keeps, however many contexts the calls between modules make,
 * and where they close cycles. */
static void test_prenumbered(void)
{
    for (int round = 0; round < 60; round++) {
        uint32_t functions = 40 + random_below(400), modules = 1 + random_below(8),
                 size = functions / modules;
        uint32_t edges = functions * (2 + random_below(12)), prenumbered = 0;
        struct program *p = round % 2 ? deep_program(functions, edges)
                                      : random_program(functions, edges, 30, 0, HCCT_WEIGHT_PRENUMBERED);
        for (uint32_t m = 0; m < modules; m++)
            prenumbered += settle(p, m * size, size);
        check_numbering(p, HCCT_ID_FIRST, HCCT_ID_FIRST + functions * HCCT_PRENUMBERED_IDS * 8);
        for (uint32_t e = 0; e < p->edge_count; e++)
            CHECK(p->edges[e].weight != HCCT_WEIGHT_PRENUMBERED || p->delta[e] > 0);
        CHECK(prenumbered > 0);
        free_program(p);
    }
    struct program *p = new_program(2, 2); /* a broken promise */
    add_edge(p, 0, 1, HCCT_WEIGHT_PRENUMBERED);
    add_edge(p, 1, 0, HCCT_WEIGHT_PRENUMBERED);
    CHECK(!number_program(p, HCCT_ID_FIRST, HCCT_ID_MAX, 0));
    free_program(p);
}

/* --- tests: large graphs ----------------------------------------------------------------------- */

/* The work that each function and call may take. What is linear takes less than a fifth of this at every
 * size; in a graph of this size, what is quadratic takes thousands of times as much. */
enum { BLOCKS_EACH = 300 };

static void check_work(struct program *p)
{
    uint64_t before = work_blocks, size = (uint64_t)p->function_count + p->edge_count;
    CHECK(number_program(p, HCCT_ID_FIRST, HCCT_ID_MAX, 0));
    uint64_t blocks = work_blocks - before;
    printf("%u functions, %u edges (%u back, %u cut): %.1f blocks for each\n", p->function_count,
           p->edge_count, p->numbering.back_edge_count, p->numbering.cut_edge_count,
           (double)blocks / (double)size);
    CHECK(blocks < BLOCKS_EACH * size);
}

static void test_large_graphs(void)
{
    for (uint32_t functions = 10000; functions <= 100000; functions *= 10)
        for (uint32_t back_percent = 0; back_percent <= 50; back_percent += back_percent ? 45 : 5) {
            struct program *p =
                random_program(functions, 6 * functions, back_percent, 3, HCCT_WEIGHT_PRENUMBERED);
            check_work(p);
            check_numbering(p, HCCT_ID_FIRST, HCCT_ID_MAX);
            check_walks(p, 50000);
            check_random_ids(p, 10000);
            free_program(p);
        }
}

static void test_deep_graphs(void)
{
    for (uint32_t functions = 10000; functions <= 100000; functions *= 10) {
        struct program *p = deep_program(functions, 6 * functions);
        check_work(p);
        CHECK(p->numbering.cut_edge_count > 0);
        check_numbering(p, HCCT_ID_FIRST, HCCT_ID_MAX);
        check_walks(p, 50000);
        check_random_ids(p, 10000);
        check_numbering(p, HCCT_ID_FIRST, HCCT_ID_FIRST + (functions + 1000) * HCCT_ID_UNIT);
        free_program(p);
    }
}

/* Cutting takes few passes: with cuts, the numbering takes less than twice the work that it takes if all
 * contexts have ids. It was 2.5 times when the right cuts were searched for. */
static void test_cuts_are_cheap(void)
{
    struct program *p = random_program(4000, 36000, 0, 0, 3);
    uint64_t start = work_blocks;
    CHECK(number_program(p, HCCT_ID_FIRST, HCCT_ID_MAX, 0) && p->numbering.cut_edge_count == 0);
    uint64_t without = work_blocks - start;
    CHECK(number_program(p, HCCT_ID_FIRST, HCCT_ID_FIRST + (1 << 20), 0) && p->numbering.cut_edge_count > 0);
    uint64_t with = work_blocks - start - without;
    printf("cutting: %.2f times the work\n", (double)with / (double)without);
    CHECK(with < 2 * without);
    free_program(p);
}

/* A function with 50,000 callers and as many callees, and a chain as deep. */
static void test_hub(void)
{
    const uint32_t spokes = 50000, hub = spokes;
    struct program *p = new_program(2 * spokes + 1, 4 * spokes);
    for (uint32_t i = 0; i < spokes; i++) {
        add_edge(p, i, hub, (uint8_t)random_below(HCCT_WEIGHT_PRENUMBERED));
        add_edge(p, hub, hub + 1 + i, (uint8_t)random_below(HCCT_WEIGHT_PRENUMBERED));
        if (i > 0)
            add_edge(p, i - 1, i, 128);
        add_edge(p, hub + 1 + i, random_below(100) ? hub : i, (uint8_t)random_below(HCCT_WEIGHT_PRENUMBERED));
    }
    check_work(p);
    check_numbering(p, HCCT_ID_FIRST, HCCT_ID_MAX);
    check_walks(p, 50000);
    check_random_ids(p, 100);
    free_program(p);
}

int main(void)
{
    test_edge_cases();
    test_small_graphs();
    test_cold_edge_breaks_cycle();
    test_diamonds();
    test_many_calls();
    test_cuts_are_local();
    test_cuts_are_good();
    test_prenumbered();
    test_hub();
    test_large_graphs();
    test_deep_graphs();
    test_cuts_are_cheap();
    CHECK_DONE();
}
