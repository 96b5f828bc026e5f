/* Writes the profile (format/layout.h). */
#ifndef HCCT_RUNTIME_OUTPUT_WRITER_H
#define HCCT_RUNTIME_OUTPUT_WRITER_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the profile of everything counted so far to a draft beside the output file, and renames that.
 * Returns false, after one warning, if it cannot. Takes the table lock. `child`: this process was forked.
 * is_last: the process is ending, which the meter is told. Calls neither malloc nor stdio. Keeps errno. */
int hcct_writer_write(int child, bool is_last);
/* Whether the output is a pipe or a device, where a second profile would stand behind the first one. */
bool hcct_writer_cannot_replace(int child);
/* Writes a profile that is ready, in the same way. */
bool hcct_writer_write_ready(const void *bytes, size_t length);
/* The profile of everything counted so far, in memory, until hcct_writer_release. NULL: memory is short, or
 * nothing may be written now (a sandbox, AT_SECURE, another thread writes). */
const void *hcct_writer_take(size_t *length);
void hcct_writer_release(void);
/* Removes the last snapshot of this process, whose counts are in another profile now. is_earlier: that one is
 * of this process, too, at another path. */
void hcct_writer_take_back_snapshot(bool is_earlier);
/* Writes a snapshot, as hcct_writer_write does, but does not wait. False, and nothing was done, if another
 * thread, or an interrupted function of this thread, has the hold (core/hold.h). True if it could not be
 * written, too: repeated failures give one warning. */
bool hcct_writer_write_if_free(int child);
/* Makes a new file beside `path`, which its owner alone may read, and returns its descriptor. Its name goes
 * to `draft`, of PATH_MAX bytes: path.tmp, or another one if that exists, which may be another process's. -1
 * with errno. Changes errno. */
int hcct_writer_open_draft(const char *path, char *draft, int access);

#endif
