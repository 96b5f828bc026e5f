/* Random numbers of the calling thread, others in each run. Async-signal-safe: a number may come twice. */
#ifndef HCCT_RUNTIME_BASE_RANDOM_H
#define HCCT_RUNTIME_BASE_RANDOM_H

#include <stdint.h>

/* Below `limit`, which is under 2^32: the bias is limit / 2^32. */
uint64_t hcct_random_below(uint64_t limit);

#endif
