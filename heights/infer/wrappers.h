/* Wrappers: functions that the compiler made by a plan, which only make one call (pass/prepare/frames.h;
 * Mytkowicz, Coughlin, Diwan, "Inferred Call Path Profiling", OOPSLA 2009, section 5.2). */
#ifndef HCCT_HEIGHTS_INFER_WRAPPERS_H
#define HCCT_HEIGHTS_INFER_WRAPPERS_H

#include "heights/infer/binary.h"

/* Reads calls of wrappers as the calls that these make. Needs all functions, names and calls. */
void hcct_wrappers_see_through(struct hcct_stack_binary *binary);
/* The function that a sample at `address` is of, which is the caller if the address is in a wrapper; or
 * HCCT_STACK_NONE. In *frame the bytes from its CFA to SP, or HCCT_HEIGHT_UNKNOWN. */
uint32_t hcct_wrappers_sampled(const struct hcct_stack_binary *binary, uint64_t address, int64_t *frame);

#endif
