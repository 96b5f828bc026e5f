/* continuous=1, for whoever has memory that is to be in the output file (output/live.h).
 * seam: made by output/live.c. */
#ifndef HCCT_RUNTIME_BASE_BACKING_H
#define HCCT_RUNTIME_BASE_BACKING_H

#include <stdbool.h>
#include <stddef.h>

#include "hcct/live.h"

/* Puts pages of the file in the place of `bytes` of zeroed memory at a page's start, all of them the
 * profiler's own. */
void hcct_live_back(void *memory, size_t bytes, enum hcct_live_kind kind);
/* The same for memory that holds something already. */
void hcct_live_back_with_content(void *memory, size_t bytes, enum hcct_live_kind kind);
/* `memory`, which hcct_live_back was given, is about to be unmapped. */
void hcct_live_drop(void *memory);
/* `slots` is now the exact table; whole already. */
void hcct_live_publish_exact(const void *slots);
/* Objects were numbered: writes them down. Not under the table lock. */
void hcct_live_publish_objects(void);
/* Whether any memory is, or was, in a file: MADV_DONTNEED does not make that zero. From then on, no thread's
 * own code counts. */
extern bool hcct_live_was_on;
/* Whether the file is there now. */
bool hcct_live_is_on(void);
#endif
