/* Which line of one build is which of the other (diff.h, step 1). */
#ifndef HCCT_DECODER_COMPARE_DIFF_LINES_H
#define HCCT_DECODER_COMPARE_DIFF_LINES_H

#include "decoder/compare/diff_side.h"

/* Fills `place` and `gone` of both sides. */
void hcct_diff_place_sides(struct hcct_diff_side side[2], const struct hcct_profile *a,
                           const struct hcct_profile *b);

#endif
