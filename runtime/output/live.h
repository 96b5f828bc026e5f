/* continuous=1: the tables are in a file the whole time (format/live.h), so that a process that is killed
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
 *   2. a page of the file is touched only after hcct_notice.
 * Threads: hcct_live_back and hcct_live_drop under the table lock, or before there are threads. */
#ifndef HCCT_RUNTIME_OUTPUT_LIVE_H
#define HCCT_RUNTIME_OUTPUT_LIVE_H

#include "runtime/base/backing.h"

/* Makes the file, if continuous=1, and maps what the tables have so far. `child`: as for
 * hcct_options_output_path. */
void hcct_live_start(int child);
/* There is a profile now, or none to be written: the file goes, if its name is still its own. Under the table
 * lock. */
void hcct_live_end(void);
/* In a forked child: nothing is shared with the parent any more, and the tables are empty. Before anything
 * else touches them; hcct_live_start follows. */
void hcct_live_leave_parent(void);

#endif
