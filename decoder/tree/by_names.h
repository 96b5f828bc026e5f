/* A profile in an encoding that several numberings share. So their profiles, written that way, add up like
 * profiles of one build (store/pool.h), and their sum is a profile that adds up further.
 *
 *     base of a function    a number made of its linkage name; of a local one also of its file
 *     id of a site          a number made of its file and line, of the frames that are inlined around it,
 *                           and of the called function if that is not instrumented; without a line its own
 *     call                  always a push
 *
 * The numberings of one program differ by the objects that its runs loaded. There an object that has the same
 * build in all runs is exact: the number of a function is also made of the object's build id, and a site
 * keeps its id, to which the name of a called function that is not instrumented is added.
 *
 * Invariants
 *   1. two contexts of the same or of different builds get the same (word, prefix) if and only if
 *      hcct-decode takes them for one (frames.h, `loose` and `objects`), but for a probability of 2^-60 a
 *      pair;
 *   2. context i of the translation is context i of the original, so cells stay as they are; the order is not
 *      the canonical one, and a context may be there twice;
 *   3. a context without a chain may be any context of another build: the floor is at least its count.
 * Memory: that of the profile's tree. */
#ifndef HCCT_DECODER_TREE_BY_NAMES_H
#define HCCT_DECODER_TREE_BY_NAMES_H

#include "decoder/store/profile.h"
#include "decoder/tree/objects.h"
#include "format/error.h"

struct hcct_by_names {
    struct hcct_profile profile; /* for hcct_pool_add; strings and more are the original's. No index */
    struct hcct_file_run run;
    uint64_t
        lost_count; /* pushes that could not be decoded: their callees are under [unknown], and `stale` */
};

/* `objects` are those of all profiles that are to be added up, if they are of one program; of several it is
 * NULL. The original outlives the translation, in which recursion is folded if it is `folded` in the
 * original. On false *error tells why, and nothing has to be closed. */
bool hcct_by_names_open(struct hcct_by_names *it, const struct hcct_profile *original,
                        const struct hcct_objects *objects, struct hcct_error *error);
void hcct_by_names_close(struct hcct_by_names *it);

#endif
