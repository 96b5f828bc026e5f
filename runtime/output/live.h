/* continuous=1: the tables are in the output file all the time (format/live.h), so a process that is killed
 * leaves them there.
 *
 * Each table is first made in memory, as in other runs. Then pages of the file are mapped in its place. If
 * the file cannot be had, the tables stay in memory: the file is removed, with one warning, and the profile
 * is written at the end as usual.
 *
 * A forked child shares the pages, and must not count in them. The slots that instrumented code reads stay
 * empty, so every call misses; the first miss in the child notices the fork (core/notice.h) and leaves the
 * parent's pages before it touches one.
 *
 * Invariants
 *   1. a page of the file is touched only if the file system has given space for it;
 *   2. a page of the file is touched only after hcct_notice.
 * Threads: hcct_live_back and hcct_live_drop under the table lock, or before there are threads. */
#ifndef HCCT_RUNTIME_OUTPUT_LIVE_H
#define HCCT_RUNTIME_OUTPUT_LIVE_H

#include "runtime/base/backing.h"

/* Makes the file, if continuous=1, and maps what the tables have so far. `child`: as for
 * hcct_options_output_path. */
void hcct_live_start(int child);
/* Removes the file, if it still has its name: a profile was written, or none will be. Under the table
 * lock. */
void hcct_live_end(void);
/* In a forked child, before anything else touches the tables: replaces what is shared with the parent by
 * empty tables. hcct_live_start follows. */
void hcct_live_leave_parent(void);

#endif
