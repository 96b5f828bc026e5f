/* The objects of several profiles of one program, each with its builds: where an object has the same one in
 * all profiles that loaded it, its call sites mean the same in all of them.
 *
 * Memory: a few words and two strings for each object, its own. */
#ifndef HCCT_DECODER_TREE_OBJECTS_H
#define HCCT_DECODER_TREE_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "decoder/store/profile.h"
#include "decoder/store/table.h"

struct hcct_object_builds {
    char *path, *build_id;
    bool differ;
};

struct hcct_objects {
    struct hcct_object_builds *all;
    uint32_t count, capacity;
    struct hcct_table table; /* by path */
};

/* A zeroed struct has none. */
void hcct_objects_add(struct hcct_objects *objects, const struct hcct_profile *profile);
/* Whether object number `index` of this profile has the same build in all profiles that were added, of which
 * this is one. False if it has no build id, or `index` is HCCT_FILE_NONE. */
bool hcct_objects_are_same(const struct hcct_objects *objects, const struct hcct_profile *profile,
                           uint32_t index);
void hcct_objects_free(struct hcct_objects *objects);

#endif
