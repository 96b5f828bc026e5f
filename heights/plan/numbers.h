/* Bytes as numbers: which multiple of 16 makes most paths precise, for one frame or for the calls of one
 * function by another. Cost: O(heights of all paths), and for each number that is tried O(heights that have
 * the bytes below them). */
#ifndef HCCT_HEIGHTS_PLAN_NUMBERS_H
#define HCCT_HEIGHTS_PLAN_NUMBERS_H

#include "heights/plan/evaluate.h"

/* Gives the frame of the function the best number. False if that is the one that it has. Needs a state that was evaluated, and leaves one. */
bool hcct_plan_number_frame(struct hcct_plan_state *state, uint32_t function);
/* The same for calls, by their index in plan->wraps. */
bool hcct_plan_number_calls(struct hcct_plan_state *state, uint32_t wrap);

#endif
