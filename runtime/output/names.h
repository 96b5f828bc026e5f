/* The filter of names (HCCT_FILE_NAMES): of all functions of a build, and of those that were inlined. */
#ifndef HCCT_RUNTIME_OUTPUT_NAMES_H
#define HCCT_RUNTIME_OUTPUT_NAMES_H

#include <stdint.h>

#include "runtime/output/subset.h"

/* The size of the filter for so many functions, a power of two. */
uint64_t hcct_names_words(uint32_t function_count);
/* Adds the names to a filter of that size, which is zero. */
void hcct_names_fill(const struct hcct_image_function *functions, uint32_t count, uint64_t *filter,
                     uint64_t words);

#endif
