/* Which frames a pattern matches; by <regex.h>. query.h says what a pattern is. */
#ifndef HCCT_DECODER_QUERY_PATTERN_H
#define HCCT_DECODER_QUERY_PATTERN_H

#include "decoder/tree/frames.h"
#include "format/error.h"

/* Whether the text is a pattern; else *error tells why not. */
bool hcct_pattern_check(const char *pattern, struct hcct_error *error);

/* For each frame whether the pattern, which was checked, matches; from malloc. */
bool *hcct_pattern_match(const char *pattern, const struct hcct_frames *frames);

/* The frames that a user means by the name of a function: those whose short, full or linkage name it is; if
 * there are none, those whose name ends with it, behind a `::`; then the same of names without template
 * arguments; else those that it matches as a pattern. From malloc. */
bool *hcct_pattern_function(const char *name, const struct hcct_frames *frames);

/* Whether some function has that name, or one that ends with it: then these are meant, and no pattern. */
bool hcct_pattern_is_name(const char *name, const struct hcct_frames *frames);

/* Says why nothing is known of a function of that name: its contexts were not kept, or it was not counted;
 * and which of `frames` has the nearest name. Returns false. */
bool hcct_pattern_not_found(const char *name, const struct hcct_frames *frames, struct hcct_error *error);

#endif
