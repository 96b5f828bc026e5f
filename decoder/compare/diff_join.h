/* Matches nodes by equal names and places, without a look at what is below them. */
#ifndef HCCT_DECODER_COMPARE_DIFF_JOIN_H
#define HCCT_DECODER_COMPARE_DIFF_JOIN_H

#include <stdbool.h>

#include "decoder/compare/diff_matcher.h"

/* What makes two nodes equal. */
enum hcct_join_by {
    HCCT_JOIN_BY_NAMES,
    HCCT_JOIN_BY_LINES, /* linkage name, file and line, too */
    HCCT_JOIN_BY_SITES, /* linkage name and site id: in one build, whatever the lines say */
};

/* Matches what is left of the children and equal by `how`, in one pass over both sides. */
void hcct_join(struct hcct_matcher *matcher, enum hcct_join_by how);

#endif
