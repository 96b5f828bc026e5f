#include "heights/plan/numbers.h"

/* What a number is for: the frame of a function, or calls of plan->wraps. */
struct subject {
    uint32_t function, wrap; /* one of them is HCCT_PLAN_NONE */
    uint32_t *bytes;
};

static bool is_between(const struct hcct_plan_state *state, const struct subject *subject, uint32_t at)
{
    if (subject->wrap != HCCT_PLAN_NONE)
        return state->wrap[at] == subject->wrap;
    return hcct_plan_caller(state, at) == subject->function;
}

/* Lists the heights that have the bytes below them in `moved`, with `times`, how often. Returns whether other
 * bytes could make a path precise: only one that is listed and not precise now, or one with the same pair. */
static bool list_moved(struct hcct_plan_state *state, const struct subject *subject, uint32_t *count)
{
    bool may_gain = false;
    *count = 0;
    for (uint32_t i = 0; i < state->paths->height_count; i++) {
        uint32_t origin = state->paths->origins[i].height;
        state->times[i] =
            (origin == HCCT_PLAN_NONE ? 0 : state->times[origin]) + is_between(state, subject, i);
        if (!state->times[i])
            continue;
        state->moved[(*count)++] = i;
        may_gain |= state->shared[state->path[i]] != 0;
    }
    return may_gain;
}

/* Adds the heights that are not listed to the pairs. */
static void add_others(struct hcct_plan_state *state)
{
    hcct_plan_clear_pairs(state);
    for (uint32_t i = 0; i < state->paths->height_count; i++)
        if (!state->times[i])
            hcct_plan_add_pair(state, i);
}

static void move(struct hcct_plan_state *state, uint32_t count, int64_t by)
{
    state->plan->evaluations++;
    for (uint32_t i = 0; i < count; i++) {
        state->height[state->moved[i]] += by * state->times[state->moved[i]];
        hcct_plan_add_pair(state, state->moved[i]);
    }
}

/* A wrapper has bytes that the plan does not know. So calls that the program makes through one go on to do
 * that. */
static bool may_have(const struct hcct_plan_state *state, const struct subject *subject, uint32_t bytes)
{
    return bytes || subject->wrap == HCCT_PLAN_NONE || !state->plan->wraps[subject->wrap].built;
}

/* Gives it the best number. False if that is the one that it has. Only the heights above are moved for
 * each. */
static bool number(struct hcct_plan_state *state, struct subject subject)
{
    uint32_t *bytes = subject.bytes, before = *bytes, best = before;
    uint64_t most = state->precise;
    uint32_t moved, others;
    if (!list_moved(state, &subject, &moved) && !before)
        return false;
    add_others(state);
    others = state->change_count;
    for (uint32_t i = 0; i < state->number_count; i++) {
        uint32_t now = i * HCCT_PLAN_STEP_BYTES;
        if (!may_have(state, &subject, now))
            continue;
        move(state, moved, (int64_t)now - *bytes);
        *bytes = now;
        if (state->precise > most || (state->precise == most && now < best && !state->refines)) {
            most = state->precise;
            best = now;
        }
        hcct_plan_undo(state, others);
    }
    move(state, moved, (int64_t)best - *bytes);
    *bytes = best;
    return best != before;
}

bool hcct_plan_number_frame(struct hcct_plan_state *state, uint32_t function)
{
    return number(state, (struct subject){ function, HCCT_PLAN_NONE, &state->plan->bytes[function] });
}

bool hcct_plan_number_calls(struct hcct_plan_state *state, uint32_t wrap)
{
    return number(state, (struct subject){ HCCT_PLAN_NONE, wrap, &state->plan->wraps[wrap].bytes });
}
