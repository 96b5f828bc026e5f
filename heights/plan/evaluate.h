/* What a plan's searches share: the heights of all paths with the plan's bytes, and how many paths have a
 * pair of function and height of their own (precise).
 *
 * Invariants
 *   1. `shared` of a path is the number of its heights whose pair another path has, too; `precise` counts the
 *      paths with heights where it is 0;
 *   2. `changes` has what each height did to the pairs, in that order: so the newest can be taken back.
 * Cost: evaluating is O(heights of all paths). */
#ifndef HCCT_HEIGHTS_PLAN_EVALUATE_H
#define HCCT_HEIGHTS_PLAN_EVALUATE_H

#include "heights/plan/plan.h"

#define HCCT_PLAN_NONE UINT32_MAX

/* A pair of height and function: the first path that has it, and another one. */
struct hcct_plan_pair {
    int64_t height;
    uint32_t function, first, other;
    uint32_t generation; /* of the evaluation that made it */
};

/* What adding a height to the pairs did. */
struct hcct_plan_change {
    uint32_t slot, path;
    enum { HCCT_PLAN_ADDED_PAIR, HCCT_PLAN_ADDED_PATH, HCCT_PLAN_MADE_SHARED, HCCT_PLAN_ADDED_NOTHING } what;
};

struct hcct_plan_state {
    const struct hcct_stack_paths *paths;
    struct hcct_plan *plan;
    /* By height of a path (struct hcct_stack_paths): the path; the height now; its pair; the calls that led
     * to it (an index of plan->wraps), HCCT_PLAN_NONE for a thread's first function. */
    uint32_t *path, *pair, *wrap;
    int64_t *height;
    struct hcct_plan_pair *pairs; /* a hash table */
    uint32_t pair_mask, generation;
    uint32_t *shared; /* by path */
    uint32_t *built;  /* by function: the plan's bytes that the program has already */
    struct hcct_plan_change *changes;
    uint32_t change_count;
    uint64_t found_count; /* paths with heights */
    uint64_t precise, highest;
    /* functions that call: first those whose frames grow for nothing; else in the order in which paths reach
     * them */
    uint32_t *reached;
    uint32_t reached_count;
    uint32_t *moved, *times; /* by height, for one function or call */
    int32_t *difference;     /* by function, scratch: 0 between uses */
    uint64_t random;
    uint32_t number_count; /* of the numbers that are tried */
    bool refines;          /* from a plan that the program has: only what makes more paths precise changes */
    bool bounds_calls;     /* for a bound: each pair of caller and callee has bytes of its own */
};

/* The function that calls or jumps between the height that this one comes from and this one, or NONE. */
uint32_t hcct_plan_predecessor(const struct hcct_plan_state *state, uint32_t at);
/* The function whose frame is between the two, or NONE. */
uint32_t hcct_plan_caller(const struct hcct_plan_state *state, uint32_t at);
/* Heights, pairs and precise paths with the plan's bytes. */
void hcct_plan_evaluate(struct hcct_plan_state *state);
/* Begins with no height in any pair. */
void hcct_plan_clear_pairs(struct hcct_plan_state *state);
/* Adds the height to its pair, and notes how. */
void hcct_plan_add_pair(struct hcct_plan_state *state, uint32_t at);
/* Takes the newest heights back, until `count` are left. */
void hcct_plan_undo(struct hcct_plan_state *state, uint32_t count);
uint64_t hcct_plan_random(struct hcct_plan_state *state);

#endif
