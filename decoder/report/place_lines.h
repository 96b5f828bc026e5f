/* The lines of all places that a tree has spots at: what formats ask that show lines. */
#ifndef HCCT_DECODER_REPORT_PLACE_LINES_H
#define HCCT_DECODER_REPORT_PLACE_LINES_H

#include <stdio.h>

#include "decoder/lines/lines.h"
#include "decoder/tree/tree.h"

struct hcct_place_lines {
    struct hcct_source_line *lines; /* by hcct_frames.places; what is not known is empty. NULL: no spots */
    /* The first object that has places whose lines are not known, and why; NULL: there is none. */
    const char *object, *why;
    struct hcct_lines *source; /* has the lines' strings */
};

void hcct_place_lines_open(struct hcct_place_lines *places, const struct hcct_tree *tree,
                           const struct hcct_frames *frames);
/* If lines are not known, prints one line that says why, with `before` in front and `behind` after its
 * end. */
void hcct_place_lines_print_gap(FILE *out, const struct hcct_place_lines *places, const char *before,
                                const char *behind);
/* The frame of a function that is inlined at a place, added if it is not there, with its name. */
uint32_t hcct_place_lines_keep(struct hcct_frames *frames, const struct hcct_source_frame *inlined,
                               enum hcct_names names);
void hcct_place_lines_close(struct hcct_place_lines *places);

#endif
