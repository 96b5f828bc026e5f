/* What HCCT_OPTIONS=output=PATH is made into. */
#ifndef HCCT_RUNTIME_OUTPUT_PATHS_H
#define HCCT_RUNTIME_OUTPUT_PATHS_H

#include <stddef.h>

/* The folder for temporary files (TMPDIR), unless it is empty or too long. */
void hcct_paths_set_temporary(const char *folder);
/* What is relative in the options is so to the current folder, from now on. */
void hcct_paths_note_folder(void);
/* Expands the patterns of `output` into `path`; false if it does not fit. `child`: this process was forked
 * from one with the same output, so its path gets the process id. */
int hcct_paths_output(char *path, size_t size, const char *build_id, int child);
/* The same path in the temporary folder, with the process id. For a process that may not write to the usual
 * folder any more. */
int hcct_paths_fallback(char *path, size_t size, const char *build_id);
/* Whether this process is one of several ranks, as a launcher's variables tell it. Only in a program with
 * libhcct_mpi. */
void hcct_paths_read_rank(char **environment);

#endif
