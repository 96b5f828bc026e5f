#include "decoder/heights/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/text/text.h"

#define NONE UINT32_MAX

/* A pair of function and height: the first path that has it, and another one. */
struct pair {
    int64_t height;
    uint32_t function, first, other;
    uint32_t generation; /* of the evaluation that made it */
};

struct search {
    const struct hcct_stack_paths *paths;
    struct hcct_plan *plan;
    /* By height of a path (struct hcct_stack_paths): the path; the height now; its pair. */
    uint32_t *path, *pair;
    int64_t *height;
    struct pair *pairs; /* a hash table */
    uint32_t pair_mask, generation;
    uint64_t precise, highest;
    /* functions that call: first those whose frames grow for nothing; else in the order in which paths reach
     * them */
    uint32_t *reached;
    uint32_t reached_count;
    int32_t *difference; /* by function, scratch: 0 between uses */
    uint64_t random;
};

/* --- evaluating ------------------------------------------------------------------------------------ */

/* The function whose frame is between this height and the one that it comes from, or NONE. */
static uint32_t caller_of(const struct search *search, uint32_t at)
{
    const struct hcct_stack_origin *origin = &search->paths->origins[at];
    return origin->is_framed ? search->paths->paths[search->path[origin->height]].function : NONE;
}

static void add_pair(struct search *search, uint32_t at)
{
    uint32_t path = search->path[at], function = search->paths->paths[path].function;
    uint64_t hash = hcct_hash_step((uint64_t)search->height[at], function);
    for (uint32_t slot = (uint32_t)hash & search->pair_mask;; slot = (slot + 1) & search->pair_mask) {
        struct pair *pair = &search->pairs[slot];
        if (pair->generation != search->generation)
            *pair = (struct pair){ search->height[at], function, path, NONE, search->generation };
        else if (pair->height != search->height[at] || pair->function != function)
            continue;
        else if (pair->first != path)
            pair->other = path;
        search->pair[at] = slot;
        return;
    }
}

static bool is_precise(const struct search *search, const struct hcct_stack_path *path)
{
    bool precise = path->count != 0;
    for (uint32_t i = 0; i < path->count; i++)
        precise &= search->pairs[search->pair[path->first + i]].other == NONE;
    return precise;
}

/* Heights, pairs and precise paths with the plan's bytes. */
static void evaluate(struct search *search)
{
    const struct hcct_stack_paths *paths = search->paths;
    search->generation++;
    search->precise = search->highest = 0;
    search->plan->evaluations++;
    for (uint32_t i = 0; i < paths->height_count; i++) {
        const struct hcct_stack_origin *origin = &paths->origins[i];
        uint32_t caller = caller_of(search, i);
        search->height[i] = origin->bytes + (origin->height == NONE ? 0 : search->height[origin->height]) +
                            (caller == NONE ? 0 : search->plan->bytes[caller]);
        if (search->height[i] > (int64_t)search->highest)
            search->highest = (uint64_t)search->height[i];
        add_pair(search, i);
    }
    for (uint32_t i = 1; i < paths->count; i++)
        search->precise += is_precise(search, &paths->paths[i]);
}

/* --- numbers --------------------------------------------------------------------------------------- */

/* Gives the function the best number. False if that is the one that it has. */
static bool number(struct search *search, uint32_t function)
{
    uint32_t *bytes = &search->plan->bytes[function], before = *bytes, best = before;
    uint64_t most = search->precise;
    for (uint32_t i = 0; i < HCCT_PLAN_NUMBERS; i++) {
        *bytes = i * HCCT_PLAN_STEP_BYTES;
        evaluate(search);
        if (search->precise > most || (search->precise == most && *bytes < best)) {
            most = search->precise;
            best = *bytes;
        }
    }
    *bytes = best;
    search->precise = most;
    return best != before;
}

static void search_numbers(struct search *search)
{
    enum { ROUNDS = 4 };
    bool changed = true;
    for (int round = 0; changed && round < ROUNDS; round++) {
        changed = false;
        for (uint32_t i = 0; i < search->reached_count && search->precise < search->plan->path_count; i++)
            changed |= number(search, search->reached[i]);
    }
}

/* --- the paper's search ---------------------------------------------------------------------------- */

static uint64_t next_random(struct search *search)
{
    search->random ^= search->random << 13;
    search->random ^= search->random >> 7;
    search->random ^= search->random << 17;
    return search->random;
}

/* A height with a pair of several paths, and one of another path with that pair. */
static bool choose(struct search *search, uint32_t *one, uint32_t *two)
{
    const struct hcct_stack_paths *paths = search->paths;
    for (int tries = 0; tries < 10000; tries++) {
        *one = (uint32_t)(next_random(search) % paths->height_count);
        const struct pair *pair = &search->pairs[search->pair[*one]];
        if (pair->other == NONE)
            continue;
        uint32_t other = pair->first == search->path[*one] ? pair->other : pair->first;
        for (*two = paths->paths[other].first; search->pair[*two] != search->pair[*one];)
            ++*two;
        return true;
    }
    return false;
}

/* Adds `by` to the difference of each function whose frame is below the height, and lists those that are
 * new. */
static uint32_t add_frames(struct search *search, uint32_t at, int32_t by, uint32_t *list, uint32_t count)
{
    for (; at != NONE; at = search->paths->origins[at].height) {
        uint32_t caller = caller_of(search, at), i = 0;
        if (caller == NONE)
            continue;
        search->difference[caller] += by;
        while (i < count && list[i] != caller)
            i++;
        if (i == count)
            list[count++] = caller;
    }
    return count;
}

/* Makes the frames of functions in which the two differ larger, until the heights differ. Notes the bytes
 * that were before. False if no frame can do that. */
static bool separate(struct search *search, uint32_t one, uint32_t two, uint32_t *list, uint32_t *before)
{
    uint32_t count = add_frames(search, two, -1, list, add_frames(search, one, 1, list, 0));
    int64_t apart = 0, step = HCCT_PLAN_STEP_BYTES;
    for (uint32_t i = count; i--;) { /* from the first function of the paths on */
        before[i] = search->plan->bytes[list[i]];
        int32_t difference = search->difference[list[i]];
        search->difference[list[i]] = 0;
        if (!difference || apart)
            continue;
        search->plan->bytes[list[i]] += (uint32_t)step;
        apart += difference * step;
        step += HCCT_PLAN_STEP_BYTES;
    }
    list[count] = NONE;
    return apart != 0;
}

static bool search_randomly(struct search *search)
{
    enum { STUCK = 100, GIVE_UP = 2000 };
    size_t functions = search->paths->binary->function_count;
    uint32_t *list = malloc((functions + 1) * sizeof *list),
             *before = malloc((functions + 1) * sizeof *before),
             *best = malloc((functions + 1) * sizeof *best), one, two;
    uint64_t most = search->precise, now = search->precise;
    bool done = list && before && best;
    for (int failures = 0, stuck = 0;
         done && failures < GIVE_UP && most * 100 < search->plan->path_count * 97;) {
        if (!choose(search, &one, &two))
            break;
        bool apart = separate(search, one, two, list, before);
        if (apart)
            evaluate(search);
        failures++;
        if (apart && (search->precise > now || ++stuck > STUCK)) {
            now = search->precise;
            stuck = 0;
        } else {
            for (uint32_t i = 0; list[i] != NONE; i++)
                search->plan->bytes[list[i]] = before[i];
            if (apart)
                evaluate(search);
        }
        if (now > most) {
            most = now;
            failures = 0;
            memcpy(best, search->plan->bytes, functions * sizeof *best);
        }
    }
    if (done && most > search->plan->precise_before)
        memcpy(search->plan->bytes, best, functions * sizeof *best);
    free(list);
    free(before);
    free(best);
    return done;
}

/* How many paths any frames could tell apart: frames of random sizes do, in all likelihood. */
static uint64_t find_best(struct search *search)
{
    size_t functions = search->paths->binary->function_count;
    for (size_t i = 0; i < functions; i++)
        search->plan->bytes[i] = (uint32_t)(next_random(search) >> 40);
    evaluate(search);
    memset(search->plan->bytes, 0, functions * sizeof *search->plan->bytes);
    return search->precise;
}

/* --- the plan -------------------------------------------------------------------------------------- */

static bool prepare(struct search *search)
{
    const struct hcct_stack_paths *paths = search->paths;
    size_t heights = (size_t)paths->height_count + 1, functions = (size_t)paths->binary->function_count + 1,
           slots = 64;
    while (slots < 2 * heights)
        slots *= 2;
    search->pair_mask = (uint32_t)slots - 1;
    search->path = malloc(heights * sizeof *search->path);
    search->pair = malloc(heights * sizeof *search->pair);
    search->height = malloc(heights * sizeof *search->height);
    search->pairs = calloc(slots, sizeof *search->pairs);
    search->reached = malloc(functions * sizeof *search->reached);
    search->difference = calloc(functions, sizeof *search->difference);
    search->plan->bytes = calloc(functions, sizeof *search->plan->bytes);
    if (!search->path || !search->pair || !search->height || !search->pairs || !search->reached ||
        !search->difference || !search->plan->bytes)
        return false;
    for (uint32_t i = 1; i < paths->count; i++)
        for (uint32_t k = 0; k < paths->paths[i].count; k++)
            search->path[paths->paths[i].first + k] = i;
    for (int has_locals = 1; has_locals >= 0; has_locals--)
        for (uint32_t i = 0; i < paths->height_count; i++) {
            uint32_t caller = caller_of(search, i);
            if (caller == NONE || search->difference[caller] ||
                paths->binary->functions[caller].has_locals != has_locals)
                continue;
            search->difference[caller] = 1;
            search->reached[search->reached_count++] = caller;
        }
    memset(search->difference, 0, functions * sizeof *search->difference);
    return true;
}

bool hcct_plan_search(struct hcct_plan *plan, const struct hcct_stack_paths *paths,
                      enum hcct_plan_method method)
{
    struct search search = { .paths = paths, .plan = plan, .random = UINT64_C(0x9e3779b97f4a7c15) };
    *plan = (struct hcct_plan){ .bytes = NULL };
    bool done = prepare(&search);
    for (uint32_t i = 1; i < paths->count; i++)
        plan->path_count += paths->paths[i].function != HCCT_STACK_NONE;
    if (done) {
        plan->precise_at_best = find_best(&search);
        evaluate(&search);
        plan->precise_before = search.precise;
        plan->highest_before = search.highest;
        if (method == HCCT_PLAN_RANDOM)
            done = search_randomly(&search);
        else
            search_numbers(&search);
        evaluate(&search);
        plan->precise_after = search.precise;
        plan->highest_after = search.highest;
    }
    void *const memory[] = { search.path,  search.pair,    search.height,
                             search.pairs, search.reached, search.difference };
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        free(memory[i]);
    return done;
}

void hcct_plan_free(struct hcct_plan *plan)
{
    free(plan->bytes);
}

void hcct_plan_print(const struct hcct_plan *plan, const struct hcct_stack_paths *paths, FILE *out)
{
    uint32_t functions = 0;
    for (uint32_t i = 0; i < paths->binary->function_count; i++)
        functions += plan->bytes[i] != 0;
    fprintf(out,
            "# hcct-heights plan: of %" PRIu64 " call paths %" PRIu64 " are precise without it, %" PRIu64
            " with it; no frames tell more than %" PRIu64 ";\n# the highest stack has %" PRIu64
            " and %" PRIu64 " bytes; %" PRIu32 " frames are larger. BYTES FUNCTION [FILE]\n",
            plan->path_count, plan->precise_before, plan->precise_after, plan->precise_at_best,
            plan->highest_before, plan->highest_after, functions);
    for (uint32_t i = 0; i < paths->binary->function_count; i++) {
        const struct hcct_stack_source *source = &paths->sources[i];
        if (plan->bytes[i] && source->linkage)
            fprintf(out, "%" PRIu32 " %s %s\n", plan->bytes[i], source->linkage,
                    hcct_text_base_name(source->file));
    }
}
