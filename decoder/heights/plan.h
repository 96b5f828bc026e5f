/* Bytes to add to functions' frames so that more call paths have a pair of function and height of their own:
 * activation record resizing (Mytkowicz, Coughlin, Diwan, section 5.1). No instruction is added where a
 * function has a frame.
 *
 *     HCCT_PLAN_RANDOM      the paper's search (section 5.1.1): of two random paths with one CID, the
 *                           functions in which they differ get 16, 32, 48, ... bytes more, until the paths
 *                           differ; kept if more paths are precise, or after 100 changes that were not
 *     HCCT_PLAN_NUMBERING   ours: functions in the order in which paths reach them, those first that have
 *                           variables on the stack, as their frames grow for nothing; each gets the number,
 *                           times 16, with which most paths are precise, the smallest of those; in rounds,
 *                           until one changes nothing. No number is random
 * Paths of the same functions in another order have the same height whatever the frames are.
 * Cost: an evaluation is O(heights of all paths). */
#ifndef HCCT_DECODER_HEIGHTS_PLAN_H
#define HCCT_DECODER_HEIGHTS_PLAN_H

#include <stdio.h>

#include "decoder/heights/paths.h"

enum hcct_plan_method { HCCT_PLAN_NUMBERING, HCCT_PLAN_RANDOM };

enum { HCCT_PLAN_STEP_BYTES = 16, HCCT_PLAN_NUMBERS = 32 };

struct hcct_plan {
    uint32_t *bytes; /* by function of the binary */
    uint64_t path_count, precise_before, precise_after;
    uint64_t precise_at_best; /* paths that differ from all others in how often they have some function */
    uint64_t highest_before, highest_after; /* bytes of the highest stack */
    uint64_t evaluations;
};

/* False when memory is out. Needs paths that were measured. */
bool hcct_plan_search(struct hcct_plan *plan, const struct hcct_stack_paths *paths,
                      enum hcct_plan_method method);
void hcct_plan_free(struct hcct_plan *plan);
/* As text, which the compiler reads (pass/select/plan.h). */
void hcct_plan_print(const struct hcct_plan *plan, const struct hcct_stack_paths *paths, FILE *out);

#endif
