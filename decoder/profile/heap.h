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
/* From malloc: for each entry, and for what belongs to none, the live bytes at each detailed point of the
 * curve. NULL when memory is out. */
uint64_t *hcct_heap_details(const struct hcct_profile *profile, uint32_t *detail_count);
/* The sum of all elements. */
struct hcct_file_heap hcct_heap_total(const struct hcct_profile *profile);
/* heap_sample: the variance of such a sum, by what the elements say. 0: no estimate. */
double hcct_heap_variance(const struct hcct_profile *profile, int value);
/* Whether the value is known of these: lost blocks are, if all profiles looked for them. */
bool hcct_heap_has(const struct hcct_file_heap *total, int value);
/* False if the profile has no values. */
bool hcct_heap_check(const struct hcct_profile *profile, struct hcct_error *error);
/* From now on the counts are these values (enum hcct_heap_value), and the others are not there. False if the
 * profile has none, or memory is out. */
bool hcct_heap_choose(struct hcct_profile *profile, int value, struct hcct_error *error);

#endif
