/* Which calls a plan may wrap (Mytkowicz, Coughlin, Diwan, section 5.2): the calls of one function by
 * another, made through a small function whose frame lowers the stack.
 *
 * The compiler does not know where a pointer leads to, nor does a path say how its calls were made. So all
 * calls of a function through pointers are wrapped alike, and its calls by name of what pointers may lead to
 * as well: they are one call here, with no callee.
 * A tail call that is wrapped needs stack. So it is not wrapped where it may have to stay a tail call
 * (tails.h). */
#ifndef HCCT_HEIGHTS_PLAN_WRAPS_H
#define HCCT_HEIGHTS_PLAN_WRAPS_H

#include "heights/plan/evaluate.h"

/* Lists the calls on the paths in plan->wraps, without bytes, the rarest first. Needs plan->calls as
 * hcct_tails_find found them. False when memory is out. */
bool hcct_wraps_list(struct hcct_plan_state *state);
/* Whether the caller may make its calls of the callee through a pointer. */
bool hcct_wraps_by_pointer(const struct hcct_stack_binary *binary, uint32_t caller, uint32_t callee);
/* All calls of the profiles. */
uint64_t hcct_wraps_count_calls(const struct hcct_stack_paths *paths);
/* A line for each call that has bytes, and for each name of its callee. */
void hcct_wraps_print(const struct hcct_plan *plan, const struct hcct_stack_paths *paths, FILE *out);

#endif
