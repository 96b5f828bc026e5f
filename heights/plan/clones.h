/* Which functions a plan copies (Mytkowicz, Coughlin, Diwan, section 5.3): calls of one function by another
 * go to a copy, whose frame can have bytes of its own, and whose calls may go to copies again. A copy also is
 * another place of the program counter. That tells paths of the same calls in another order.
 *
 * A call through a pointer goes to the copy if the pointer is the function: that takes a comparison. The
 * compiler copies what it compiles. So caller and callee must be of one source file.
 *
 * Candidates are the calls, and chains of up to six of them, that most ambiguous paths have. They are tried
 * in that order; one is taken if it makes enough more paths precise for each new copy. A call that may go to
 * a copy that is there already needs no new one. The code of all copies has a bound.
 * A copy has what the plan says of its function, and what it says of the copy. */
#ifndef HCCT_HEIGHTS_PLAN_CLONES_H
#define HCCT_HEIGHTS_PLAN_CLONES_H

#include "heights/plan/evaluate.h"

/* Finds what runs at each height, by plan->clones. */
void hcct_clones_follow(struct hcct_plan_state *state);
/* Adds copies to the plan. Needs a state that was evaluated, and leaves one. False when memory is out. */
bool hcct_clones_search(struct hcct_plan_state *state);
/* A line for each call that goes to a copy, and for the bytes of each copy. */
void hcct_clones_print(const struct hcct_plan *plan, const struct hcct_stack_paths *paths, FILE *out);

#endif
