/* The user's lists of functions: HCCT_FILTER, HCCT_CLOCK. */
#ifndef HCCT_PASS_SELECT_FILTER_H
#define HCCT_PASS_SELECT_FILTER_H

#include <stdbool.h>

/* Reads the files of both lists, once a process. False, and one message in *error, if that fails. */
bool hcct_filter_load(const char **error);
/* Whether `function` of source `file` is to be left alone. */
bool hcct_filter_excludes(const char *function, const char *file);
/* Whether its time is to be measured. */
bool hcct_filter_measures(const char *function, const char *file);

#endif
