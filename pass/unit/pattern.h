/* Functions that the user chooses by a regular expression: an extended one of POSIX, which matches any part
 * of the linkage name or of the demangled name. */
#ifndef HCCT_PASS_UNIT_PATTERN_H
#define HCCT_PASS_UNIT_PATTERN_H

#include <regex.h>
#include <stdbool.h>

/* One that was compiled. Begins as all zeros. */
struct hcct_pattern {
    char *text; /* NULL: not yet */
    regex_t regex;
};

/* False if `text` is no regular expression. Then *error is a message, in memory that the next call may
 * change. `setting`: how the user gave it. */
bool hcct_pattern_check(const char *text, const char *setting, const char **error);
/* Whether `text` matches the function of that linkage name. False if memory is short. */
bool hcct_pattern_matches(struct hcct_pattern *pattern, const char *text, const char *name);
void hcct_pattern_free(struct hcct_pattern *pattern);

#endif
