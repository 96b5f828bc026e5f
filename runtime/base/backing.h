/* Memory that is part of the output file (continuous=1, output/live.h). Code that maps such memory needs
 * only this header.
 * seam: made by output/live.c. */
#ifndef HCCT_RUNTIME_BASE_BACKING_H
#define HCCT_RUNTIME_BASE_BACKING_H

#include <stdbool.h>
#include <stddef.h>

#include "format/live.h"

/* Replaces `bytes` of zeroed memory by pages of the file. The memory begins at a page's start and belongs to
 * the profiler alone. */
void hcct_live_back(void *memory, size_t bytes, enum hcct_live_kind kind);
/* The same for memory that is not zero: its content goes into the file. */
void hcct_live_back_with_content(void *memory, size_t bytes, enum hcct_live_kind kind);
/* To be called before `memory`, which hcct_live_back was given, is unmapped. */
void hcct_live_drop(void *memory);
/* From now on, `slots` is the exact table. It is complete before the call. */
void hcct_live_publish_exact(const void *slots);
/* Writes newly numbered objects into the file. Not under the table lock. */
void hcct_live_publish_objects(void);
/* Whether any memory is in a file, or was. MADV_DONTNEED does not make such memory zero. While this is set,
 * instrumented code counts nothing in line: every call misses. */
extern bool hcct_live_was_on;
/* Whether the file exists now. */
bool hcct_live_is_on(void);
#endif
