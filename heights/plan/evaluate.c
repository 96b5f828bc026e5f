#include "heights/plan/evaluate.h"

#include <string.h>

uint32_t hcct_plan_predecessor(const struct hcct_plan_state *state, uint32_t at)
{
    uint32_t height = state->paths->origins[at].height;
    return height == HCCT_PLAN_NONE ? HCCT_PLAN_NONE : state->paths->paths[state->path[height]].function;
}

uint32_t hcct_plan_caller(const struct hcct_plan_state *state, uint32_t at)
{
    uint32_t function = hcct_plan_predecessor(state, at);
    bool is_framed =
        function != HCCT_PLAN_NONE && (state->paths->origins[at].is_framed || state->plan->calls[function]);
    return is_framed ? function : HCCT_PLAN_NONE;
}

/* The bytes between the two, without the plan's. The frame of a tail call that becomes a call is a guess: as
 * much as the function needs elsewhere. */
static int64_t bytes_of(const struct hcct_plan_state *state, uint32_t at)
{
    uint32_t caller = hcct_plan_caller(state, at);
    const struct hcct_stack_origin *origin = &state->paths->origins[at];
    if (state->bounds_calls && caller != HCCT_PLAN_NONE)
        return (int64_t)(hcct_hash_step(caller, state->wrap[at]) >> 40);
    if (origin->is_framed || caller == HCCT_PLAN_NONE)
        return origin->bytes;
    return (state->paths->binary->functions[caller].most_bytes + HCCT_PLAN_STEP_BYTES - 1) /
           HCCT_PLAN_STEP_BYTES * HCCT_PLAN_STEP_BYTES;
}

/* What the plan adds to that. */
static int64_t planned_bytes(const struct hcct_plan_state *state, uint32_t at)
{
    const struct hcct_plan *plan = state->plan;
    uint32_t caller = hcct_plan_caller(state, at), index = state->wrap[at];
    const struct hcct_plan_wrap *wrap = index == HCCT_PLAN_NONE ? NULL : &plan->wraps[index];
    int64_t bytes = wrap ? (int64_t)wrap->bytes - wrap->built : 0;
    return caller == HCCT_PLAN_NONE ? bytes : bytes + plan->bytes[caller] - state->built[caller];
}

static void add_shared(struct hcct_plan_state *state, uint32_t path)
{
    state->precise -= !state->shared[path]++;
}

static void remove_shared(struct hcct_plan_state *state, uint32_t path)
{
    state->precise += !--state->shared[path];
}

void hcct_plan_add_pair(struct hcct_plan_state *state, uint32_t at)
{
    uint32_t path = state->path[at], function = state->paths->paths[path].function,
             slot = (uint32_t)hcct_hash_step((uint64_t)state->height[at], function) & state->pair_mask;
    struct hcct_plan_pair *pair = &state->pairs[slot];
    while (pair->generation == state->generation &&
           (pair->height != state->height[at] || pair->function != function)) {
        slot = (slot + 1) & state->pair_mask;
        pair = &state->pairs[slot];
    }
    struct hcct_plan_change change = { slot, path, HCCT_PLAN_ADDED_NOTHING };
    if (pair->generation != state->generation) {
        *pair =
            (struct hcct_plan_pair){ state->height[at], function, path, HCCT_PLAN_NONE, state->generation };
        change.what = HCCT_PLAN_ADDED_PAIR;
    } else if (pair->other != HCCT_PLAN_NONE) {
        change.what = HCCT_PLAN_ADDED_PATH;
        add_shared(state, path);
    } else if (pair->first != path) {
        change.what = HCCT_PLAN_MADE_SHARED;
        pair->other = path;
        add_shared(state, pair->first);
        add_shared(state, path);
    }
    state->pair[at] = slot;
    state->changes[state->change_count++] = change;
}

void hcct_plan_undo(struct hcct_plan_state *state, uint32_t count)
{
    while (state->change_count > count) {
        const struct hcct_plan_change *change = &state->changes[--state->change_count];
        struct hcct_plan_pair *pair = &state->pairs[change->slot];
        if (change->what == HCCT_PLAN_ADDED_PAIR)
            pair->generation = 0;
        if (change->what == HCCT_PLAN_ADDED_PATH || change->what == HCCT_PLAN_MADE_SHARED)
            remove_shared(state, change->path);
        if (change->what == HCCT_PLAN_MADE_SHARED) {
            remove_shared(state, pair->first);
            pair->other = HCCT_PLAN_NONE;
        }
    }
}

void hcct_plan_clear_pairs(struct hcct_plan_state *state)
{
    state->generation++;
    state->change_count = 0;
    state->precise = state->found_count;
    memset(state->shared, 0, state->paths->count * sizeof *state->shared);
}

void hcct_plan_evaluate(struct hcct_plan_state *state)
{
    const struct hcct_stack_paths *paths = state->paths;
    state->highest = 0;
    state->plan->evaluations++;
    hcct_plan_clear_pairs(state);
    for (uint32_t i = 0; i < paths->height_count; i++) {
        const struct hcct_stack_origin *origin = &paths->origins[i];
        state->height[i] = (origin->height == HCCT_PLAN_NONE ? 0 : state->height[origin->height]) +
                           bytes_of(state, i) + planned_bytes(state, i);
        if (state->height[i] > (int64_t)state->highest)
            state->highest = (uint64_t)state->height[i];
        hcct_plan_add_pair(state, i);
    }
}

uint64_t hcct_plan_random(struct hcct_plan_state *state)
{
    state->random ^= state->random << 13;
    state->random ^= state->random >> 7;
    state->random ^= state->random << 17;
    return state->random;
}
