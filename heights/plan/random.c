#include "heights/plan/random.h"

#include <stdlib.h>
#include <string.h>

/* A height with a pair of several paths, and one of another path with that pair. */
static bool choose(struct hcct_plan_state *state, uint32_t *one, uint32_t *two)
{
    const struct hcct_stack_paths *paths = state->paths;
    for (int tries = 0; tries < 10000; tries++) {
        *one = (uint32_t)(hcct_plan_random(state) % paths->height_count);
        const struct hcct_plan_pair *pair = &state->pairs[state->pair[*one]];
        if (pair->other == HCCT_PLAN_NONE)
            continue;
        uint32_t other = pair->first == state->path[*one] ? pair->other : pair->first;
        for (*two = paths->paths[other].first; state->pair[*two] != state->pair[*one];)
            ++*two;
        return true;
    }
    return false;
}

/* Adds `by` to the difference of each function whose frame is below the height, and lists those that are
 * new. */
static uint32_t add_frames(struct hcct_plan_state *state, uint32_t at, int32_t by, uint32_t *list,
                           uint32_t count)
{
    for (; at != HCCT_PLAN_NONE; at = state->paths->origins[at].height) {
        uint32_t caller = hcct_plan_caller(state, at), i = 0;
        if (caller == HCCT_PLAN_NONE)
            continue;
        state->difference[caller] += by;
        while (i < count && list[i] != caller)
            i++;
        if (i == count)
            list[count++] = caller;
    }
    return count;
}

/* Makes the frames of functions in which the two differ larger, until the heights differ. Notes the bytes
 * that were before. False if no frame can do that. */
static bool separate(struct hcct_plan_state *state, uint32_t one, uint32_t two, uint32_t *list,
                     uint32_t *before)
{
    uint32_t count = add_frames(state, two, -1, list, add_frames(state, one, 1, list, 0));
    int64_t apart = 0, step = HCCT_PLAN_STEP_BYTES;
    for (uint32_t i = count; i--;) { /* from the first function of the paths on */
        before[i] = state->plan->bytes[list[i]];
        int32_t difference = state->difference[list[i]];
        state->difference[list[i]] = 0;
        if (!difference || apart)
            continue;
        state->plan->bytes[list[i]] += (uint32_t)step;
        apart += difference * step;
        step += HCCT_PLAN_STEP_BYTES;
    }
    list[count] = HCCT_PLAN_NONE;
    return apart != 0;
}

bool hcct_plan_search_randomly(struct hcct_plan_state *state)
{
    enum { STUCK = 100, GIVE_UP = 2000 };
    size_t functions = state->paths->binary->function_count;
    uint32_t *list = malloc((functions + 1) * sizeof *list),
             *before = malloc((functions + 1) * sizeof *before),
             *best = malloc((functions + 1) * sizeof *best), one, two;
    uint64_t most = state->precise, now = state->precise;
    bool done = list && before && best;
    for (int failures = 0, stuck = 0;
         done && failures < GIVE_UP && most * 100 < state->plan->path_count * HCCT_PLAN_GOAL_PERCENT;) {
        if (!choose(state, &one, &two))
            break;
        bool apart = separate(state, one, two, list, before);
        if (apart)
            hcct_plan_evaluate(state);
        failures++;
        if (apart && (state->precise > now || ++stuck > STUCK)) {
            now = state->precise;
            stuck = 0;
        } else {
            for (uint32_t i = 0; list[i] != HCCT_PLAN_NONE; i++)
                state->plan->bytes[list[i]] = before[i];
            if (apart)
                hcct_plan_evaluate(state);
        }
        if (now > most) {
            most = now;
            failures = 0;
            memcpy(best, state->plan->bytes, functions * sizeof *best);
        }
    }
    if (done && most > state->plan->precise_before)
        memcpy(state->plan->bytes, best, functions * sizeof *best);
    free(list);
    free(before);
    free(best);
    return done;
}
