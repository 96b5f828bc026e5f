/* With mode=hcct: how often each function was called. Contexts leave the summary when memory is full, and
 * their calls with them; what the function of a call was is known at each miss, and of each slot. So the
 * numbers of functions stay exact, and the file tells those calls that no context has (output/records.h).
 *
 * A key that goes to a batch is counted in its block, by the function's place (hcct_state.names), without the
 * lock; what slots have, and a call that is recorded at once, in an array of the process. The numbers are of
 * all phases together. Only the first HCCT_FUNCTION_BLOCKS blocks, of threads and handlers, know functions.
 * Where more run at the same time, the numbers and the counts of contexts add up to less than N, by which
 * everybody sees that they are lower bounds.
 * Invariant: N has each call that hcct_functions_collect finds as soon as the blocks are drained, which is
 * next.
 * Cost: 3 instructions for a miss; memory: 8 bytes for a function, and 4 for a slot, of what is touched.
 * Threads: under the table lock, but for hcct_functions_count. */
#ifndef HCCT_RUNTIME_COUNT_FUNCTIONS_H
#define HCCT_RUNTIME_COUNT_FUNCTIONS_H

#include "hcct/abi.h"
#include "runtime/core/block.h"

/* Any state has one, also if nobody has given it a place: where the program's notes are gone, it holds what
 * the link wrote. 0 if the block knows no functions. */
static inline __attribute__((always_inline)) uint32_t hcct_functions_place(const struct hcct_block *block,
                                                                           const struct hcct_state *state)
{
    return state->names & block->place_mask;
}

/* A call whose key is in the block's batch already. By the thread itself. Atomics: hcct_functions_collect
 * may read it meanwhile; it finds the call now or the next time. */
static inline __attribute__((always_inline)) void hcct_functions_count(struct hcct_block *block,
                                                                       const struct hcct_state *state)
{
    uint64_t *calls = &block->functions[hcct_functions_place(block, state)];
    __atomic_store_n(calls, __atomic_load_n(calls, __ATOMIC_RELAXED) + 1, __ATOMIC_RELEASE);
}

/* Other calls of the block, of the function at that place. */
void hcct_functions_add(const struct hcct_block *block, uint32_t place, uint64_t calls);
/* Adds up what threads have counted in their blocks. Comes before the blocks are drained for the file. False:
 * not known. */
bool hcct_functions_collect(void);
/* Of the function at that place, when the blocks are drained; 0: not known. */
uint64_t hcct_functions_calls(uint32_t place);
/* Sets all numbers to zero. */
void hcct_functions_reset(void);

#endif
