/* Functions that the compiler made by a plan (pass/prepare/frames.h): wrappers, which only make one call, and
 * copies of functions (Mytkowicz, Coughlin, Diwan, "Inferred Call Path Profiling", OOPSLA 2009, sections 5.2
 * and 5.3). */
#ifndef HCCT_HEIGHTS_INFER_MADE_H
#define HCCT_HEIGHTS_INFER_MADE_H

#include "heights/infer/binary.h"

/* Notes what each copy is a copy of, and reads calls of wrappers as the calls that these make. Needs all
 * functions, names and calls. */
void hcct_made_find(struct hcct_stack_binary *binary);
/* The function or copy that a sample at `address` is of, which is the caller if the address is in a wrapper;
 * or HCCT_STACK_NONE. In *frame the bytes from its CFA to SP, or HCCT_HEIGHT_UNKNOWN. */
uint32_t hcct_made_sampled(const struct hcct_stack_binary *binary, uint64_t address, int64_t *frame);
/* Whether `caller` calls copies of the function in its place: then no call of it leads to the function
 * itself, through pointers neither. */
bool hcct_made_calls_copy(const struct hcct_stack_binary *binary, uint32_t caller, uint32_t function);
/* The number in the name of a copy (hcct.clone.NUMBER.FUNCTION), and behind it the function's name; or
 * NULL. */
const char *hcct_made_original_name(const char *name, uint32_t *number);

#endif
