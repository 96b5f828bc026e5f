/* A difference (diff.h) as text, a row for each change, the largest first:
 *
 *          change         %        A        B  context
 *     *    +41000    +51.2%    80000   121000  next  <- statement:44 <- run:12
 *
 * `*`: beyond both error bounds. The context is the function and its callers, as many as tell it apart from
 * the other rows, each with the line of its call. What no row has is [other], so that the columns add up to
 * the calls of the profiles. */
#ifndef HCCT_DECODER_COMPARE_PRINT_DIFF_TEXT_H
#define HCCT_DECODER_COMPARE_PRINT_DIFF_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "decoder/claim/amount.h"
#include "decoder/compare/diff.h"

struct hcct_diff_text_options {
    const char *name[2]; /* of the files */
    uint64_t top_count;  /* the largest changes; 0: all */
    enum hcct_names names;
    const char *ellipsis; /* in short names */
    unsigned width;       /* the columns of the terminal; 0: no terminal, paths are not wrapped */
};

/* Makes short names of the frames' names. Errors of the stream stay in the stream. */
void hcct_diff_print_text(FILE *out, struct hcct_diff *diff, const struct hcct_diff_text_options *options);

/* The parts that diff_flat.c prints, too. */
/* Lengthens names, which have been made, of frames that stand in one table. */
void hcct_diff_text_tell_apart(struct hcct_frames *frames, const uint32_t *list, uint32_t count,
                               enum hcct_names names);
void hcct_diff_text_head(FILE *out, const struct hcct_diff *diff,
                         const struct hcct_diff_text_options *options);
/* What to do if one side has a tree for each thread, so that no contexts meet; NULL: it is not so. */
const char *hcct_diff_text_threads(const struct hcct_diff *diff);
/* Whether there is a table. Without a row [other] alone is one, if what a filter left out has changed. */
static inline bool hcct_diff_text_has_table(const struct hcct_diff *diff, uint32_t rows)
{
    return rows || diff->side[0].merge.summary.ground.total != diff->side[1].merge.summary.ground.total;
}
/* "+50.0%"; "new" and "gone" where one of both is 0. */
void hcct_diff_text_percent(char text[16], uint64_t a, uint64_t b);
/* "+41000", or "-0.120" for times. */
void hcct_diff_text_change(char text[HCCT_AMOUNT_BYTES + 1], const struct hcct_ground *ground,
                           uint64_t change, bool falls);

#endif
