/* Numbers a linked executable, so that the runtime need not do it at start (hcct/linked.h). */
#ifndef HCCT_WRAPPER_NUMBERS_H
#define HCCT_WRAPPER_NUMBERS_H

#include <stdbool.h>

#include "arguments.h"

/* Writes the numbers into the file, if it has records and a runtime. False: it stays without, and is numbered
 * at start. That is no error: among other things the file may be none of ours, or not a file at all. */
bool hcct_numbers_write(const char *path);
/* Runs the command, which links `output`, and numbers that. Returns its exit status; if a signal ended it,
 * that signal ends this process, too. */
int hcct_numbers_link(const struct hcct_arguments *run, const char *output);
/* Whether links are to be numbered (HCCT_NUMBERS); ends with an error if its value is neither link nor
 * start. */
bool hcct_numbers_are_wanted(void);

#endif
