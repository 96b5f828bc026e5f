/* The word of a list that a mistyped one is nearest to. */
#ifndef HCCT_DECODER_TEXT_NEAREST_H
#define HCCT_DECODER_TEXT_NEAREST_H

#include <stddef.h>

/* The distance of two words is the number of letters to insert, delete or replace, and of neighbours to swap.
 * A word is near if the distance is at most a third of `length`, rounded up, and neither has more than 40
 * letters. To begin with, `nearest` is NULL. Candidates stay the caller's. */
struct hcct_nearest {
    const char *word; /* of `length` letters */
    size_t length;
    const char *nearest; /* NULL: none is near */
    unsigned distance;
};

void hcct_nearest_try(struct hcct_nearest *search, const char *candidate);

#endif
