/* How much of its path tells a change apart from the others, in a list of changes.
 *
 * A row of the list names the function, then its callers, from the nearest outwards, as many as are needed:
 * no other change of the list reads the same. Two that read the same to their roots are shown whole. A row of
 * a frame in brackets, such as [malloc], tells nothing by itself: it goes on to the nearest function. */
#ifndef HCCT_DECODER_COMPARE_PRINT_DIFF_PATHS_H
#define HCCT_DECODER_COMPARE_PRINT_DIFF_PATHS_H

#include "decoder/compare/diff.h"

/* A path with more callers than this is shown whole where that many don't tell it apart. */
#define HCCT_DIFF_PATH_LIMIT 64

/* Fills `frames`, for each change in diff->ranked: the frames to show, its function included. Names are those
 * of the sides' frames. Cost: O(changes * log(changes) * HCCT_DIFF_PATH_LIMIT). */
void hcct_diff_paths(const struct hcct_diff *diff, uint32_t *frames);

#endif
