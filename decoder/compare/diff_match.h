/* Which context of one build is which of the other (diff.h, steps 1 to 4). */
#ifndef HCCT_DECODER_COMPARE_DIFF_MATCH_H
#define HCCT_DECODER_COMPARE_DIFF_MATCH_H

#include "decoder/compare/diff_side.h"

/* Fills `match` of both sides. */
void hcct_diff_match(struct hcct_diff_side side[2], bool same_build);

#endif
