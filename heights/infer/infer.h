/* The call paths of samples (Mytkowicz, Coughlin, Diwan, section 7): looks each sample up in the path map, by
 * its function and by the height of that function's frame.
 *
 *     precise      one path of the map fits
 *     ambiguous    several fit; the sample may be of each
 *     unsure       of a library's code: where it returns to was found by a look at the stack
 *     missing      no path fits: of the path, the function alone is known
 *     no frame     the function's frame has no fixed size; the same
 * A sample counts as `sure` for the path that it is of for certain, provided the map has all paths. */
#ifndef HCCT_HEIGHTS_INFER_INFER_H
#define HCCT_HEIGHTS_INFER_INFER_H

#include "heights/infer/paths.h"
#include "heights/infer/samples.h"

struct hcct_inferred {
    uint64_t *high, *sure; /* by path: all samples that may be of it; those that are */
    uint64_t *alone;       /* by function: samples of which only the function is known */
    uint64_t taken, precise, ambiguous, unsure, missing, no_frame, elsewhere;
};

/* False when memory is out. Needs paths that were measured. */
bool hcct_infer(struct hcct_inferred *inferred, const struct hcct_stack_paths *paths,
                const struct hcct_stack_samples *samples);
void hcct_infer_free(struct hcct_inferred *inferred);

#endif
