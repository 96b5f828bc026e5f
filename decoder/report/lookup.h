/* One context by its number, as hcct_context() told it to the program. */
#ifndef HCCT_DECODER_REPORT_LOOKUP_H
#define HCCT_DECODER_REPORT_LOOKUP_H

#include <stdio.h>

#include "decoder/profile/reader.h"

/* Prints the path of `word`, "main;f;g", as a line. False with *error if the profile cannot tell what it
 * means. */
bool hcct_lookup_print(FILE *out, const struct hcct_profile *profile, uint64_t word, bool demangle,
                       bool inlines, struct hcct_decode_error *error);

#endif
