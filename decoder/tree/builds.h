/* Adds up profiles of any builds. Those of one build are added as they are (store/pool.h). The sums of
 * several builds of one program then meet by call site in the objects that are the same, those of different
 * programs (`force`) by function and line: translated into one encoding (by_names.h), and added again. */
#ifndef HCCT_DECODER_TREE_BUILDS_H
#define HCCT_DECODER_TREE_BUILDS_H

#include "decoder/store/pool.h"
#include "decoder/tree/objects.h"
#include "format/error.h"

enum { HCCT_BUILDS_LIMIT = 1000 };

struct hcct_builds {
    int (*open_file)(void);   /* set it at first: where large sums may go (store/pool.h); or NULL */
    bool force;               /* set it at first: of different programs, too */
    bool lacks_spread;        /* set it at first (store/pool.h) */
    bool folds;               /* recursion is folded: asked for, or in one of them */
    struct hcct_pool **pools; /* of each build */
    uint32_t count, capacity;
    struct hcct_pool all;
    struct hcct_objects objects;
    uint64_t bytes;      /* of all files */
    uint64_t lost_count; /* pushes that could not be decoded when they were translated */
};

/* Adds a profile, which may be closed afterwards. On false *error
 * tells why. */
bool hcct_builds_add(struct hcct_builds *builds, const struct hcct_profile *profile,
                     struct hcct_error *error);
/* The sum, which points into `builds`; with an index if it is to be decoded. At least one was added, none can
 * be added any more. Close it. */
bool hcct_builds_sum(struct hcct_builds *builds, struct hcct_profile *sum, bool has_index,
                     struct hcct_error *error);
/* Writes the same into an empty file that can seek, in little memory if it is a large sum of one build.
 * False: *error tells why. */
bool hcct_builds_write(struct hcct_builds *builds, int file, struct hcct_error *error);
void hcct_builds_free(struct hcct_builds *builds);

#endif
