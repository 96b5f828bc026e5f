/* Call paths that no training has: a search backwards from a sample's function, with height pruning
 * (Mytkowicz, Coughlin, Diwan, sections 4.1 and 7: lazy lookup).
 *
 * The call graph is the binary's: direct calls and tail calls; a call through a pointer may lead to every
 * function whose address is taken. Left out are calls by libraries, those of frames without a fixed size,
 * and ways round a cycle of tail calls.
 * A first pass finds, for each function, all heights at which some path reaches it: so the search goes only
 * where a path is. What it finds are candidates: the paths are added, with HCCT_PATHS_SEARCHED, and a
 * sample is never sure to be of one of them.
 *
 * Cost: O(calls * heights / 64) for a round of the first pass, of which there are at most as many as the
 * longest path has calls; a search takes at most HCCT_SEARCH_STEPS steps. */
#ifndef HCCT_HEIGHTS_INFER_SEARCH_H
#define HCCT_HEIGHTS_INFER_SEARCH_H

#include "heights/infer/paths.h"
#include "heights/infer/samples.h"

enum {
    HCCT_SEARCH_CANDIDATES = 16,      /* a pair of function and height with more has none */
    HCCT_SEARCH_STEPS = 1 << 20,      /* of one search; one that takes more has none */
    HCCT_SEARCH_HEIGHT_MAX = 1 << 18, /* bytes */
};

/* Adds the candidates for those samples that are of no known path, and measures the paths again. False when
 * memory is out. Needs paths that were measured; none at all will do. */
bool hcct_search(struct hcct_stack_paths *paths, const struct hcct_stack_samples *samples);

#endif
