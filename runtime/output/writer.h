/* Writes the profile (format/layout.h). */
#ifndef HCCT_RUNTIME_OUTPUT_WRITER_H
#define HCCT_RUNTIME_OUTPUT_WRITER_H

#include <stdbool.h>

/* Writes everything counted so far to the output file: beside its name, then renamed. False after one warning
 * if it cannot. Takes the table lock. `child`: this process was forked. Calls neither malloc nor stdio; keeps
 * errno. */
int hcct_profile_write(int child);
/* The same for one of many, which is not waited for: false if another thread or an unfinished action of this
 * one writes or takes away what is read. What goes wrong is said once. */
bool hcct_profile_write_if_free(int child);
/* Whether a file may be renamed to `path`: nothing is there, or a file; not over a link. False with errno. */
bool hcct_writer_may_replace(const char *path);
/* A new file beside `path`, for its owner alone; its name goes to `draft`, of PATH_MAX bytes: path.tmp,
 * another if that is there, as it is another process's, or not the profiler's at all. -1 with errno. Keeps no
 * errno. */
int hcct_writer_open_draft(const char *path, char *draft, int access);

#endif
