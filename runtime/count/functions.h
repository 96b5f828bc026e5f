/* With mode=hcct: how often each function was called. Contexts leave the summary when memory is full, and
 * their calls with them; what the function of a call was is known at each miss, and of each slot. So the
 * numbers of functions stay exact, and the file tells those calls that no context has (output/records.h).
 *
 * A function has a place in one array of the process (hcct_state.names). Its number grows there when the
 * tables get its calls: from a batch or a slot, which keep the places of their keys, or at once. Only the
 * slots of the first HCCT_FUNCTION_TALLIES tallies, of threads and handlers, do. Where more run at the same
 * time, the numbers and the counts of contexts add up to less than N, by which everybody sees that they are
 * lower bounds. The numbers are of all phases together.
 * Cost: 2 instructions for a miss, 4 when its batch is added; memory: 32 bytes for a function, and 4 for a
 * slot.
 * Threads: under the table lock. */
#ifndef HCCT_RUNTIME_COUNT_FUNCTIONS_H
#define HCCT_RUNTIME_COUNT_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* The tables got so many calls of the function at that place. A function that nobody gave a place has what
 * the link wrote there, which is any number. */
void hcct_functions_add(uint32_t place, uint64_t calls);
/* So many calls of the function at each of the places. */
void hcct_functions_add_each(const uint32_t *places, uint32_t count, uint64_t calls);
/* False: hcct_functions_calls knows nothing. */
bool hcct_functions_are_known(void);
/* Of the function at that place, when the blocks are drained; 0: not known. */
uint64_t hcct_functions_calls(uint32_t place);
/* Sets all numbers to zero. */
void hcct_functions_reset(void);

#endif
