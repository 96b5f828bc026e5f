/* The word of a list that a mistyped one is nearest to. */
#ifndef HCCT_DECODER_TEXT_NEAREST_H
#define HCCT_DECODER_TEXT_NEAREST_H

#include <stddef.h>

/* Which of two words is nearer is told by the insertions, deletions and replacements of letters between them,
 * and swaps of neighbours. To begin with, `nearest` is NULL. */
struct hcct_nearest {
    const char *word; /* of `length` letters */
    size_t length;
    const char *nearest; /* NULL: none is near */
    unsigned distance;
};

void hcct_nearest_try(struct hcct_nearest *search, const char *candidate);

#endif
