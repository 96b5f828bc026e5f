#include "heights/plan/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/text/text.h"
#include "heights/plan/evaluate.h"
#include "heights/plan/numbers.h"
#include "heights/plan/random.h"
#include "heights/plan/refine.h"
#include "heights/plan/tails.h"
#include "heights/plan/wraps.h"

/* --- numbers --------------------------------------------------------------------------------------- */

static void search_numbers(struct hcct_plan_state *state)
{
    enum { ROUNDS = 4 };
    bool changed = true;
    for (int round = 0; changed && round < ROUNDS; round++) {
        changed = false;
        for (uint32_t i = 0; i < state->reached_count && state->precise < state->plan->path_count; i++)
            changed |= hcct_plan_number_frame(state, state->reached[i]);
    }
}

/* --- tail calls ------------------------------------------------------------------------------------ */

/* A function whose tail calls are calls, and how many the profiles have. */
struct tail {
    uint64_t count;
    uint32_t function;
};

static int by_count(const void *a, const void *b)
{
    const struct tail *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return (x->function > y->function) - (x->function < y->function);
}

/* Gives tail calls back where as many paths are precise with them, the most frequent ones first. */
static bool restore_tails(struct hcct_plan_state *state)
{
    const struct hcct_stack_paths *paths = state->paths;
    uint32_t functions = paths->binary->function_count;
    struct tail *tails = calloc((size_t)functions + 1, sizeof *tails);
    if (!tails)
        return false;
    for (uint32_t i = 0; i < functions; i++)
        tails[i].function = i;
    for (uint32_t i = 0; i < paths->height_count; i++) {
        const struct hcct_stack_path *path = &paths->paths[state->path[i]];
        if (!paths->origins[i].is_framed && hcct_plan_predecessor(state, i) != HCCT_PLAN_NONE)
            tails[hcct_plan_predecessor(state, i)].count += path->calls[0] + path->calls[1];
    }
    qsort(tails, functions, sizeof *tails, by_count);
    for (uint32_t i = 0; i < functions; i++) {
        bool *calls = &state->plan->calls[tails[i].function];
        uint64_t before = state->precise;
        if (!*calls)
            continue;
        *calls = false;
        hcct_plan_evaluate(state);
        if (state->precise < before) {
            *calls = true;
            state->precise = before;
        }
    }
    free(tails);
    hcct_plan_evaluate(state);
    return true;
}

/* --- wrapped calls --------------------------------------------------------------------------------- */

/* Wraps calls where more paths are precise then, the rarest ones first, as long as few of all calls are
 * wrapped. */
static void search_wraps(struct hcct_plan_state *state)
{
    enum { RARE = 1000, SHARE = 100 }; /* so few calls cost nothing; one of so many may be wrapped */
    struct hcct_plan *plan = state->plan;
    uint64_t left = hcct_wraps_count_calls(state->paths) / SHARE;
    for (uint32_t i = 0; i < plan->wrap_count && state->precise < plan->path_count; i++) {
        const struct hcct_plan_wrap *wrap = &plan->wraps[i];
        bool is_rare = wrap->count <= RARE;
        if (wrap->is_fixed || (!is_rare && wrap->count > left && !wrap->bytes))
            continue;
        hcct_plan_number_calls(state, i);
        if (wrap->bytes && !is_rare)
            left -= wrap->count < left ? wrap->count : left;
    }
}

/* Gives back those that later ones made needless, the most frequent ones first. */
static void restore_wraps(struct hcct_plan_state *state)
{
    struct hcct_plan *plan = state->plan;
    for (uint32_t i = plan->wrap_count; i-- > 0;) {
        uint32_t *bytes = &plan->wraps[i].bytes, before = *bytes;
        uint64_t precise = state->precise;
        if (!before)
            continue;
        *bytes = 0;
        hcct_plan_evaluate(state);
        if (state->precise < precise) {
            *bytes = before;
            hcct_plan_evaluate(state);
        }
    }
}

/* --- bounds ---------------------------------------------------------------------------------------- */

/* How many paths could be told apart at best: frames of random sizes do, in all likelihood. */
static uint64_t find_best(struct hcct_plan_state *state)
{
    size_t functions = state->paths->binary->function_count;
    for (size_t i = 0; i < functions; i++)
        state->plan->bytes[i] = (uint32_t)(hcct_plan_random(state) >> 40);
    hcct_plan_evaluate(state);
    memset(state->plan->bytes, 0, functions * sizeof *state->plan->bytes);
    return state->precise;
}

/* The bounds, and how it is without a plan. Tail calls are as the plan has them. */
static void find_bounds(struct hcct_plan_state *state)
{
    struct hcct_plan *plan = state->plan;
    bool *calls = plan->calls, *none = calloc((size_t)state->paths->binary->function_count + 1, 1);
    plan->precise_with_calls = find_best(state);
    state->bounds_calls = true;
    plan->precise_with_wraps = find_best(state);
    state->bounds_calls = false;
    plan->calls = none ? none : calls;
    plan->precise_at_best = find_best(state);
    hcct_plan_evaluate(state);
    plan->precise_before = state->precise;
    plan->highest_before = state->highest;
    plan->calls = calls;
    free(none);
}

/* --- the plan -------------------------------------------------------------------------------------- */

static void add_reached(struct hcct_plan_state *state, uint32_t function)
{
    if (state->difference[function])
        return;
    state->difference[function] = 1;
    state->reached[state->reached_count++] = function;
}

/* Lists the functions whose frames are between heights. */
static void list_reached(struct hcct_plan_state *state)
{
    const struct hcct_stack_paths *paths = state->paths;
    for (int has_locals = 1; has_locals >= 0; has_locals--)
        for (uint32_t i = 0; i < paths->height_count; i++) {
            uint32_t caller = hcct_plan_caller(state, i);
            if (caller == HCCT_PLAN_NONE || paths->binary->functions[caller].has_locals != has_locals)
                continue;
            add_reached(state, caller);
        }
    memset(state->difference, 0, paths->binary->function_count * sizeof *state->difference);
}

static bool prepare(struct hcct_plan_state *state)
{
    const struct hcct_stack_paths *paths = state->paths;
    size_t heights = (size_t)paths->height_count + 1, functions = (size_t)paths->binary->function_count + 1,
           slots = 64;
    while (slots < 2 * heights)
        slots *= 2;
    state->pair_mask = (uint32_t)slots - 1;
    state->path = malloc(heights * sizeof *state->path);
    state->pair = malloc(heights * sizeof *state->pair);
    state->built = calloc(functions, sizeof *state->built);
    state->wrap = malloc(heights * sizeof *state->wrap);
    state->height = malloc(heights * sizeof *state->height);
    state->pairs = calloc(slots, sizeof *state->pairs);
    state->shared = calloc((size_t)paths->count + 1, sizeof *state->shared);
    state->changes = malloc(heights * sizeof *state->changes);
    state->moved = malloc(heights * sizeof *state->moved);
    state->times = malloc(heights * sizeof *state->times);
    state->reached = malloc(functions * sizeof *state->reached);
    state->difference = calloc(functions, sizeof *state->difference);
    state->plan->bytes = calloc(functions, sizeof *state->plan->bytes);
    state->plan->calls = hcct_tails_find(paths->binary);
    state->plan->may_call = malloc(functions);
    if (!state->shared || !state->changes || !state->moved || !state->times || !state->path || !state->pair ||
        !state->wrap || !state->height || !state->pairs || !state->reached || !state->difference ||
        !state->plan->bytes || !state->plan->calls || !state->plan->may_call)
        return false;
    for (uint32_t i = 1; i < paths->count; i++)
        state->found_count += paths->paths[i].count != 0;
    for (uint32_t i = 1; i < paths->count; i++)
        for (uint32_t k = 0; k < paths->paths[i].count; k++)
            state->path[paths->paths[i].first + k] = i;
    memcpy(state->plan->may_call, state->plan->calls, paths->binary->function_count);
    return hcct_wraps_list(state);
}

/* Numbers, then tail calls back, then numbers for what is left, then wrapped calls. */
static bool search_in_turn(struct hcct_plan_state *state, const struct hcct_plan_wish *wish)
{
    bool done = true;
    hcct_plan_evaluate(state);
    search_numbers(state);
    if (wish->steps >= HCCT_PLAN_TO_TAILS) {
        done = restore_tails(state);
        search_numbers(state);
    }
    if (wish->steps >= HCCT_PLAN_TO_CALLS) {
        search_wraps(state);
        restore_wraps(state);
        search_numbers(state);
    }
    return done;
}

/* Goes on from the plan that the program was built by. */
static bool search_from(struct hcct_plan_state *state, const struct hcct_plan_lines *old)
{
    hcct_refine_begin(state, old);
    state->refines = true;
    hcct_plan_evaluate(state);
    search_numbers(state);
    search_wraps(state);
    return true;
}

/* How many paths the plan could tell at best. */
static uint64_t best_of(const struct hcct_plan *plan, const struct hcct_plan_wish *wish)
{
    return wish->steps < HCCT_PLAN_TO_TAILS    ? plan->precise_at_best
           : wish->steps == HCCT_PLAN_TO_TAILS ? plan->precise_with_calls
                                               : plan->precise_with_wraps;
}

/* Whether too few paths are precise, and more numbers could change that. */
static bool needs_more(const struct hcct_plan_state *state, const struct hcct_plan_wish *wish)
{
    uint64_t goal = state->plan->path_count * HCCT_PLAN_GOAL_PERCENT;
    return state->precise * 100 < goal && best_of(state->plan, wish) * 100 >= goal;
}

/* More numbers begin anew: what few numbers gave is no good start for them. */
static bool search_again(struct hcct_plan_state *state, const struct hcct_plan_wish *wish)
{
    struct hcct_plan *plan = state->plan;
    size_t functions = state->paths->binary->function_count;
    state->number_count = HCCT_PLAN_NUMBERS_MORE;
    memset(plan->bytes, 0, functions * sizeof *plan->bytes);
    for (uint32_t i = 0; i < plan->wrap_count; i++)
        plan->wraps[i].bytes = 0;
    if (wish->steps >= HCCT_PLAN_TO_TAILS)
        memcpy(plan->calls, plan->may_call, functions);
    return search_in_turn(state, wish);
}

static bool search_all(struct hcct_plan_state *state, const struct hcct_plan_wish *wish)
{
    struct hcct_plan *plan = state->plan;
    size_t functions = state->paths->binary->function_count;
    if (wish->steps < HCCT_PLAN_TO_TAILS)
        memset(plan->calls, 0, functions);
    list_reached(state);
    if (wish->old)
        return search_from(state, wish->old);
    hcct_plan_evaluate(state);
    if (wish->steps == HCCT_PLAN_BY_RANDOM)
        return hcct_plan_search_randomly(state);
    if (!search_in_turn(state, wish))
        return false;
    return !needs_more(state, wish) || search_again(state, wish);
}

bool hcct_plan_search(struct hcct_plan *plan, const struct hcct_stack_paths *paths,
                      const struct hcct_plan_wish *wish)
{
    struct hcct_plan_state search = { .paths = paths,
                                      .plan = plan,
                                      .random = UINT64_C(0x9e3779b97f4a7c15),
                                      .number_count = HCCT_PLAN_NUMBERS };
    *plan = (struct hcct_plan){ .path_count = 0 };
    bool done = prepare(&search);
    for (uint32_t i = 1; i < paths->count; i++)
        plan->path_count += paths->paths[i].function != HCCT_STACK_NONE;
    if (done) {
        find_bounds(&search);
        done = search_all(&search, wish);
        hcct_plan_evaluate(&search);
        plan->precise_after = search.precise;
        plan->highest_after = search.highest;
    }
    void *const memory[] = { search.path,    search.pair,       search.height, search.pairs,
                             search.reached, search.difference, search.shared, search.changes,
                             search.moved,   search.times,      search.wrap,   search.built };
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        free(memory[i]);
    return done;
}

void hcct_plan_free(struct hcct_plan *plan)
{
    free(plan->bytes);
    free(plan->calls);
    free(plan->may_call);
    free(plan->wraps);
}

void hcct_plan_print(const struct hcct_plan *plan, const struct hcct_stack_paths *paths, FILE *out)
{
    uint32_t functions = 0, tails = 0, wraps = 0;
    for (uint32_t i = 0; i < plan->wrap_count; i++)
        wraps += plan->wraps[i].bytes != 0;
    for (uint32_t i = 0; i < paths->binary->function_count; i++) {
        functions += plan->bytes[i] != 0;
        tails += plan->calls[i];
    }
    fprintf(out,
            "# hcct-heights plan: of %" PRIu64 " call paths %" PRIu64 " are precise without it, %" PRIu64
            " with it; no frames tell more than %" PRIu64 ",\n# without tail calls %" PRIu64
            ", with wrapped calls %" PRIu64 ". The highest stack has %" PRIu64 " and %" PRIu64
            " bytes;\n# %" PRIu32 " frames are larger, %" PRIu32 " functions lose their tail calls, %" PRIu32
            " calls are wrapped.\n# BYTES FUNCTION [FILE], calls FUNCTION [FILE], wrap BYTES "
            "CALLER CALLEE [FILE]\n",
            plan->path_count, plan->precise_before, plan->precise_after, plan->precise_at_best,
            plan->precise_with_calls, plan->precise_with_wraps, plan->highest_before, plan->highest_after,
            functions, tails, wraps);
    for (uint32_t i = 0; i < paths->binary->function_count; i++) {
        const struct hcct_stack_source *source = &paths->sources[i];
        if (plan->bytes[i] && source->linkage)
            fprintf(out, "%" PRIu32 " %s %s\n", plan->bytes[i], source->linkage,
                    hcct_text_base_name(source->file));
        if (plan->calls[i] && source->linkage)
            fprintf(out, "calls %s %s\n", source->linkage, hcct_text_base_name(source->file));
    }
    hcct_wraps_print(plan, paths, out);
}
