/* The miss: for a meter that looks at each call that misses (`pass` in core/meter.h), which continues here
 * with a call that it lets pass. */
#ifndef HCCT_RUNTIME_COUNT_MISS_H
#define HCCT_RUNTIME_COUNT_MISS_H

#include "runtime/core/meter.h"

/* noinline: the ways before it need no frame. */
__attribute__((noinline)) hcct_meter_miss hcct_miss_at_last;
/* Way 8, for a meter that has `take_call`. Under the table lock. */
void hcct_miss_count(struct hcct_block *block, uint64_t word, const struct hcct_state *state, uintptr_t sp);

/* Nonzero while the process has one thread, as far as the C library made them (glibc 2.32). Then way 3 may be
 * open. */
extern const char __libc_single_threaded __attribute__((weak));

#endif
