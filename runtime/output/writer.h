/* Writes the profile (format/layout.h). */
#ifndef HCCT_RUNTIME_OUTPUT_WRITER_H
#define HCCT_RUNTIME_OUTPUT_WRITER_H

#include <stdbool.h>

/* Writes the profile of everything counted so far to a draft beside the output file, and renames that.
 * Returns false, after one warning, if it cannot. Takes the table lock. `child`: this process was forked.
 * Calls neither malloc nor stdio. Keeps errno. */
int hcct_writer_write(int child);
/* The same for a snapshot. Does not wait: returns false if another thread, or an interrupted function of this
 * thread, has the hold (core/hold.h). Repeated failures give one warning. */
bool hcct_writer_write_if_free(int child);
/* Makes a new file beside `path`, which its owner alone may read, and returns its descriptor. Its name goes
 * to `draft`, of PATH_MAX bytes: path.tmp, or another one if that exists, which may be another process's. -1
 * with errno. Changes errno. */
int hcct_writer_open_draft(const char *path, char *draft, int access);

#endif
