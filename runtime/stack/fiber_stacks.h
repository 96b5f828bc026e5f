/* Memory for the context stacks of fibers.
 *
 * Several lie in one mapping, a region. A process may have only some 65,000 mappings (vm.max_map_count). One
 * for each fiber would take them from a program with that many fibers.
 *
 * Invariants
 *   1. a stack that is given back is emptied at once, and its place is not used again;
 *   2. a region is unmapped with the last of its stacks.
 * Cost: regions grow with the number of fibers. 100,000 fibers with stacks of 64 KB have some 220.
 * Threads: under the table lock. */
#ifndef HCCT_RUNTIME_STACK_FIBER_STACKS_H
#define HCCT_RUNTIME_STACK_FIBER_STACKS_H

#include <stddef.h>

struct hcct_fiber_region;

/* `bytes` of zeroed memory, a multiple of a page, and the region that it is in; NULL if memory is short.
 * `fibers`: how many there are. */
void *hcct_fiber_stacks_take(size_t bytes, size_t fibers, struct hcct_fiber_region **region);
void hcct_fiber_stacks_give(void *stack, size_t bytes, struct hcct_fiber_region *region);

#endif
