/* How surely a context identifier tells its call path (Mytkowicz, Coughlin, Diwan, section 8.4).
 *
 * One profile: a path is precise if no other one has its CID, else ambiguous. With a profile of another
 * input as the training, each path of the tested one is
 *     precise     the training has it, and no other path with its CID
 *     ambiguous   the training has it, and others with its CID
 *     incorrect   the training has other paths with its CID, but not this one
 *     missing     the training has no path with its CID
 * The paper has no word for paths without a height: they are `lost` here, and part of what shares are of.
 * The degree of ambiguity is the number of the training's paths that share the CID. A path with several
 * heights is what it is at its worst one. */
#ifndef HCCT_HEIGHTS_INFER_PRECISION_H
#define HCCT_HEIGHTS_INFER_PRECISION_H

#include <stdio.h>

#include "heights/infer/paths.h"

enum hcct_path_class {
    HCCT_CLASS_PRECISE,
    HCCT_CLASS_AMBIGUOUS,
    HCCT_CLASS_INCORRECT,
    HCCT_CLASS_MISSING,
    HCCT_CLASS_LOST,
    HCCT_CLASS_COUNT
};
extern const char *const hcct_class_names[HCCT_CLASS_COUNT];

enum { HCCT_DEGREES = 10 };

struct hcct_precision {
    uint64_t paths[HCCT_CLASS_COUNT], calls[HCCT_CLASS_COUNT];
    uint64_t all_paths, all_calls;
    uint64_t up_to[HCCT_DEGREES + 1];    /* precise and ambiguous paths of that degree or a smaller one */
    uint64_t lost[HCCT_PATH_LOSS_COUNT]; /* paths, by the reason */
    uint64_t deepest;                    /* the largest height, in bytes */
};

/* Classes of the paths of `tested` (HCCT_PATHS_TESTED, or _TRAINING: against themselves). */
void hcct_precision_count(const struct hcct_stack_paths *paths, int tested, struct hcct_precision *precision);
void hcct_precision_print(const struct hcct_precision *precision, FILE *out);
void hcct_precision_print_json(const struct hcct_precision *precision, FILE *out);

#endif
