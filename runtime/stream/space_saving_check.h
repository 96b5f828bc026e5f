/* The check of Space Saving's invariants (space_saving.c). */
#ifndef HCCT_RUNTIME_STREAM_SPACE_SAVING_CHECK_H
#define HCCT_RUNTIME_STREAM_SPACE_SAVING_CHECK_H

#include "runtime/stream/space_saving.h"

/* Whether all of them hold. O(capacity). For tests and debug builds. */
bool hcct_space_saving_check(const struct hcct_summary *summary);

#endif
