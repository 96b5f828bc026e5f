/* The sums of several builds as one profile: of one program that loaded different objects, or, by function
 * and line, of several programs (tree/by_names.h). Each build has a sum of its own until the end: so the
 * contexts of a build meet by call site, and an entry without a chain finds one in any of its profiles. */
#ifndef HCCT_DECODER_COMMANDS_MERGE_BUILDS_H
#define HCCT_DECODER_COMMANDS_MERGE_BUILDS_H

#include "decoder/combine/one_build/combine.h"

struct hcct_build_sum {
    struct hcct_combine combine;
    char *first; /* the name of the first profile in it, for a sum of one; or NULL */
};

/* Writes the profile into an empty file that can seek. False after a complaint about `name`, for which
 * errno is 0, or errno tells why. The sums stay, and may be added to. */
bool hcct_builds_write(struct hcct_build_sum *const *sums, uint32_t count, const char *name, int file);

#endif
