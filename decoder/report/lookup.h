/* The path of one context, given its number: what hcct_context() told the program. */
#ifndef HCCT_DECODER_REPORT_LOOKUP_H
#define HCCT_DECODER_REPORT_LOOKUP_H

#include <stdio.h>

#include "decoder/names/symbol.h"
#include "decoder/store/profile.h"
#include "format/error.h"

/* Prints the path of `word` as a line, "main;f;g". False, with *error, if the profile does not tell what the
 * word means. */
bool hcct_lookup_print(FILE *out, const struct hcct_profile *profile, uint64_t word, enum hcct_names names,
                       bool inlines, struct hcct_error *error);

#endif
