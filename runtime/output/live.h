/* continuous=1: the tables are in a file the whole time (hcct/live.h), so that a process that is killed
 * leaves them.
 *
 * Memory is made as without it; then pages of the file are mapped in its place, so that everything goes on in
 * memory where the file cannot be had: then it is removed, with one warning, and the profile is written at
 * the end as always. The kernel wipes no shared pages in a child that was forked, so the slots that
 * instrumented code looks at stay empty: every call misses, and who notices first that it is a child
 * (process.h) leaves the parent's pages before it touches one.
 *
 * Invariants
 *   1. a page of the file is touched only if the file system has given room for it;
 *   2. a page of the file is touched only after hcct_process_notice.
 * Threads: hcct_live_back and hcct_live_drop under the table lock, or before there are threads. */
#ifndef HCCT_RUNTIME_OUTPUT_LIVE_H
#define HCCT_RUNTIME_OUTPUT_LIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "hcct/live.h"

/* Makes the file, if continuous=1, and maps what the tables have so far. `child`: as for
 * hcct_options_output_path. */
void hcct_live_start(int child);
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
/* There is a profile now, or none to be written: the file goes, if its name is still its own. Under the table
 * lock. */
void hcct_live_end(void);
/* In a forked child: nothing is shared with the parent any more, and the tables are empty. Before anything
 * else touches them; hcct_live_start follows. */
void hcct_live_leave_parent(void);

#endif
