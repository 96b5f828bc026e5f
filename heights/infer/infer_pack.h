/* Inferred paths as a profile (format/layout.h), for hcct-decode and all that reads profiles. A path's count
 * is `high` of infer.h, its error what is not sure: so count - error <= samples <= count, provided that the
 * map has all paths. A sample that may be of k paths is in the count of each.
 *
 * Every call is a push there, by a site that stands for all calls of one function by another, so it has no
 * line. Counts are nanoseconds if the samples are a timer's (metric=time), else samples. */
#ifndef HCCT_HEIGHTS_INFER_INFER_PACK_H
#define HCCT_HEIGHTS_INFER_INFER_PACK_H

#include "heights/infer/infer.h"

/* The file, from malloc; NULL when memory is out. */
unsigned char *hcct_infer_pack(const struct hcct_inferred *inferred, const struct hcct_stack_paths *paths,
                               const struct hcct_stack_samples *samples, size_t *length);

#endif
