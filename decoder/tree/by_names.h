/* A profile in an encoding that all builds share: words, sites and functions are numbers made of names and
 * lines. So profiles of several builds, written that way, add up like profiles of one build
 * (combine/one_build/combine.h), and their sum is a profile that adds up further.
 *
 *     base of a function    a number made of its linkage name; of a local one also of its file
 *     id of a site          a number made of its file and line, of the frames that are inlined around it,
 *                           and of the called function if that is not instrumented; without a line its own
 *     call                  always a push
 *
 * Invariants
 *   1. two contexts of the same or of different builds get the same (word, prefix) if and only if
 *      hcct-decode --force takes them for one (frames.h, `loose`), but for a probability of 2^-60 a pair;
 *   2. entry i of the translation is entry i of the original, so what belongs to entries stays as it is;
 *   3. an entry without a chain may be any context of another build: the floor is at least its count.
 * Memory: that of the profile's tree. */
#ifndef HCCT_DECODER_TREE_BY_NAMES_H
#define HCCT_DECODER_TREE_BY_NAMES_H

#include "decoder/profile/profile.h"
#include "format/error.h"

struct hcct_by_names {
    struct hcct_profile profile; /* for hcct_combine_add; strings and more are the original's. No index */
    struct hcct_file_run run;
    uint64_t lost_count; /* pushes that could not be decoded: their callees are under [unknown] */
};

/* The original outlives the translation, in which recursion is folded if it is `folded` in the original. On
 * false *error tells why, and nothing has to be closed. */
bool hcct_by_names_open(struct hcct_by_names *it, const struct hcct_profile *original,
                        struct hcct_error *error);
void hcct_by_names_close(struct hcct_by_names *it);

static inline bool hcct_by_names_is(const struct hcct_profile *profile)
{
    return profile->run->build_id == HCCT_FILE_BUILD_BY_NAMES;
}

#endif
