/* Random numbers. Each thread has its own sequence, and each run other ones. Async-signal-safe: a handler
 * may get the same number as the code that it interrupts. */
#ifndef HCCT_RUNTIME_BASE_RANDOM_H
#define HCCT_RUNTIME_BASE_RANDOM_H

#include <stdint.h>

/* A number below `limit`. `limit` is below 2^32; the bias is limit / 2^32. */
uint64_t hcct_random_below(uint64_t limit);

/* In a forked child, whose number is `process`: its sequences are not those of its parent and siblings. */
void hcct_random_after_fork(uint64_t process);

#endif
