/* What a profile of metric=heap says beside the bytes that were allocated (struct hcct_file_heap).
 *
 * Everything behind this reads counts of entries. So another value than the first one is chosen by a copy of
 * the entries with that value in the place of the count. Such counts have no error: each is exact for the
 * time that its context was kept, and what belongs to no entry is the run's dropped_memory. Each context may
 * have up to so much more. */
#ifndef HCCT_DECODER_PROFILE_HEAP_H
#define HCCT_DECODER_PROFILE_HEAP_H

#include "decoder/profile/profile.h"
#include "format/error.h"

uint64_t hcct_heap_value(const struct hcct_file_heap *heap, int value);
/* The sum of all elements. */
struct hcct_file_heap hcct_heap_total(const struct hcct_profile *profile);
/* heap_sample: the variance of such a sum, by what the elements say. 0: no estimate. */
double hcct_heap_variance(const struct hcct_profile *profile, int value);
/* From now on the counts are these values (enum hcct_heap_value). False if the profile has none, or memory is
 * out. */
bool hcct_heap_choose(struct hcct_profile *profile, int value, struct hcct_error *error);

#endif
