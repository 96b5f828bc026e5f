/* Bytes to add to functions' frames so that more call paths have a pair of function and height of their own:
 * activation record resizing (Mytkowicz, Coughlin, Diwan, section 5.1). No instruction is added where a
 * function has a frame.
 *
 *     HCCT_PLAN_BY_RANDOM  the paper's search (section 5.1.1): of two random paths with one CID, the
 *                           functions in which they differ get 16, 32, 48, ... bytes more, until the paths
 *                           differ; kept if more paths are precise, or after 100 changes that were not
 *     others               ours: functions in the order in which paths reach them, those first that have
 *                           variables on the stack, as their frames grow for nothing; each gets the number,
 *                           times 16, with which most paths are precise, the smallest of those; in rounds,
 *                           until one changes nothing. No number is random
 *
 * A tail call leaves no frame. The latter begins with all tail calls as calls that may be that
 * (tails.h), and gives back those without which as many paths are precise, the most frequent ones first.
 * Paths of the same functions in another order have the same height whatever the frames are.
 * Cost: an evaluation is O(heights of all paths). */
#ifndef HCCT_HEIGHTS_PLAN_PLAN_H
#define HCCT_HEIGHTS_PLAN_PLAN_H

#include <stdio.h>

#include "heights/infer/paths.h"

/* How far it goes: each but the first has what the one before has. */
enum hcct_plan_steps {
    HCCT_PLAN_BY_RANDOM,
    HCCT_PLAN_TO_FRAMES,
    HCCT_PLAN_TO_TAILS, /* tail calls become calls */
    HCCT_PLAN_TO_CALLS  /* calls are wrapped */
};

enum {
    HCCT_PLAN_STEP_BYTES = 16,
    HCCT_PLAN_NUMBERS = 48,       /* so many numbers are tried */
    HCCT_PLAN_NUMBERS_MORE = 192, /* and so many, if fewer paths are precise then than */
    HCCT_PLAN_GOAL_PERCENT = 97   /* where the paper's search stops, too */
};

/* Calls of one function by another, see wraps.h. */
struct hcct_plan_wrap {
    uint64_t count;          /* calls of the profiles */
    uint32_t caller, callee; /* HCCT_STACK_NONE: through pointers */
    uint32_t bytes;          /* of the wrapper's frame, 0: they are not wrapped */
    uint32_t built;          /* those that the program has already */
    uint32_t index;          /* in the order in which paths have them */
    bool is_fixed;           /* they must not be wrapped */
};

struct hcct_plan {
    uint32_t *bytes;              /* by function of the binary */
    bool *calls;                  /* by function: its tail calls are to be calls */
    bool *may_call;               /* by function: its tail calls may be calls (tails.h) */
    struct hcct_plan_wrap *wraps; /* by count */
    uint32_t wrap_count, wrap_capacity;
    uint64_t path_count, precise_before, precise_after;
    /* Paths that differ from all others in how often they have some function: with tail calls as they are;
     * without those that may become calls; in how often they have some pair of caller and callee. */
    uint64_t precise_at_best, precise_with_calls, precise_with_wraps;
    uint64_t highest_before, highest_after; /* bytes of the highest stack */
    uint64_t evaluations;
};

struct hcct_plan_wish {
    enum hcct_plan_steps steps;
    const struct hcct_plan_lines *old; /* refine.h: the plan that the program was built by, or NULL */
};

/* False when memory is out. Needs paths that were measured. */
bool hcct_plan_search(struct hcct_plan *plan, const struct hcct_stack_paths *paths,
                      const struct hcct_plan_wish *wish);
void hcct_plan_free(struct hcct_plan *plan);
/* As text, which the compiler reads (pass/select/plan.h). */
void hcct_plan_print(const struct hcct_plan *plan, const struct hcct_stack_paths *paths, FILE *out);

#endif
