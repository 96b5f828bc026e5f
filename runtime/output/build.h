/* The build of a program: a hash of its functions, numbering and sites. Two runs with equal hashes have equal
 * meanings of ids. Other builds have the same one with a probability of 2^-64. Merging then still compares
 * the numbers of functions and sites. */
#ifndef HCCT_RUNTIME_OUTPUT_BUILD_H
#define HCCT_RUNTIME_OUTPUT_BUILD_H

#include <stdint.h>

#include "runtime/output/subset.h"

/* `functions` are all that are numbered, in ascending order of base. */
uint64_t hcct_build_hash(const struct hcct_image_function *functions, uint32_t count);

#endif
