/* The miss: for a meter that counts it in its own way (`take` of struct hcct_calls in core/meter.h). */
#ifndef HCCT_RUNTIME_COUNT_MISS_H
#define HCCT_RUNTIME_COUNT_MISS_H

#include "runtime/count/tally.h"

/* Way 5, for a meter that takes calls itself. Under the table lock. */
void hcct_miss_count(struct hcct_tally *tally, uint64_t word, const struct hcct_state *state, uintptr_t sp);

/* Nonzero while the process has one thread, as far as the C library made them (glibc 2.32). Then way 3 may be
 * open; otherwise way 4. */
extern const char __libc_single_threaded __attribute__((weak));
static inline bool hcct_miss_is_alone(void)
{
    return &__libc_single_threaded && __libc_single_threaded;
}

#endif
