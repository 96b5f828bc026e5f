/* What tells long names apart, for people: of four names with a line of template arguments each,
 *
 *     … left_key … down …
 *     … left_key … up …
 *     … right_key … down …
 *     … right_key … up …
 *
 * Such a text has a piece for each place where its name begins to differ from others, from the left. It has
 * some 80 bytes at most. If that is enough for all pieces, texts of different names differ. */
#ifndef HCCT_DECODER_NAMES_APART_H
#define HCCT_DECODER_NAMES_APART_H

#include <stdbool.h>
#include <stdint.h>

#include "decoder/text/text.h"

struct hcct_apart {
    const char *name;
    uint32_t index; /* the caller's */
    struct hcct_text pieces;
    size_t shared, end; /* the bytes that it has in common with the one before it; the last piece's end */
};

/* Sorts the names, and fills their pieces, which the caller frees. Pieces begin and end between UTF-8
 * sequences. */
void hcct_names_tell_apart(struct hcct_apart *names, size_t count, const char *ellipsis);

#endif
