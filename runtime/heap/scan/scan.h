/* heap_scan=on: which live blocks the program can still reach, by a conservative search for pointers.
 *
 * Roots are the data of all objects, stacks, thread-local storage and registers. A word there leads
 * to a block if it points into it, and so does each word in a block that was reached. What is live and was
 * not reached is lost (docs/heap.md).
 *
 * Other threads go on meanwhile. Under the table lock no block that is known can be freed. Memory is read by
 * process_vm_readv, or through a pipe, so what is not readable is no fault.
 * Cost: each root and each block is read once, the data of the allocator's object twice; 25 bytes for each
 * live block meanwhile. */
#ifndef HCCT_RUNTIME_HEAP_SCAN_H
#define HCCT_RUNTIME_HEAP_SCAN_H

#include <stdbool.h>

/* Sets `lost_bytes` and `lost_blocks` of all contexts. `allocator`: an address in the allocator's code. False
 * if the system or memory does not allow it: then both are 0. Under the table lock. */
bool hcct_heap_scan(const void *allocator);

#endif
