/* Entries of instrumented functions, where code in line does not suffice. */
#ifndef HCCT_RUNTIME_COUNT_ENTER_H
#define HCCT_RUNTIME_COUNT_ENTER_H

#include "hcct/abi.h"

/* An entry whose word was HCCT_WORD_NONE or HCCT_WORD_TAIL (in `word`): leaves the function's word in
 * `entered`. */
void HCCT_COLD hcct_stack_enter(HCCT_FREE_3, uintptr_t entry_sp, struct hcct_state *state, uint64_t word);

#endif
