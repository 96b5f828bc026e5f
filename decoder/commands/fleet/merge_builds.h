/* The sums of several builds of a program as one profile, by function and line (tree/by_names.h). Each build
 * has a sum of its own until the end: so the contexts of a build meet by call site, and an entry without a
 * chain finds one in any profile of its build. */
#ifndef HCCT_DECODER_COMMANDS_MERGE_BUILDS_H
#define HCCT_DECODER_COMMANDS_MERGE_BUILDS_H

#include "decoder/combine/combine.h"

struct hcct_build_sum {
    struct hcct_combine combine;
    char *first; /* the name of the first profile in it, for a sum of one; or NULL */
};

/* The file, from malloc; NULL after a complaint about `name`. The sums stay, and may be added to. */
unsigned char *hcct_builds_write(struct hcct_build_sum *const *sums, uint32_t count,
                                 const struct hcct_members *members, const char *name, size_t *length);

#endif
