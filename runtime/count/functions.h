/* With mode=hcct: how often each function was called. When memory is full, contexts leave the summary, and
 * their calls with them. But the function is known for each call that misses, and for the key of each slot.
 * So the numbers of functions stay exact, and the file has for each function its calls that no context has
 * (output/records.h).
 *
 * A function has a place in one array of the process (hcct_state.names). Its number there grows when the
 * tables get its calls: at once, or from a batch or a slot. All batches keep the places of their keys'
 * functions, but only the slots of the first HCCT_FUNCTION_TALLIES tallies, of threads and handlers, do. If
 * more run at the same time, the numbers and the counts of contexts add up to less than N: so a reader sees
 * that they are lower bounds. The numbers are of all phases together.
 * Each part (core/parts.h) has numbers of its own, and so has the table lock: only the sums mean anything.
 * Cost: 2 instructions for a miss, 4 when its batch is added; memory: 4 bytes for a slot, and 32 to 64
 * for a function and each part in which misses were added.
 * Threads: under the table lock and the locks of all parts, unless it is said. */
#ifndef HCCT_RUNTIME_COUNT_FUNCTIONS_H
#define HCCT_RUNTIME_COUNT_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Adds calls of the function at that place. A function that was given no place has in its state whatever the
 * link wrote there, so any number is allowed. Under the table lock. */
void hcct_functions_add(uint32_t place, uint64_t calls);
/* So many calls of the function at each of the places. With the lock of that part; HCCT_PARTS_ALL: under the
 * table lock. */
void hcct_functions_add_each(unsigned part, const uint32_t *places, uint32_t count, uint64_t calls);
/* False: hcct_functions_calls knows nothing. */
bool hcct_functions_are_known(void);
/* The calls of the function at that place, when all blocks are drained; also 0 if they are not known. */
uint64_t hcct_functions_calls(uint32_t place);
/* Sets all numbers to zero. */
void hcct_functions_reset(void);

#endif
