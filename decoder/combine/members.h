/* Which profiles a sum holds, so that a merge that was stopped can go on, and no profile is added twice: a
 * number for each, made of its header, of its section table, which has the checksums of all of it, and of the
 * sections run and times. Profiles of different processes or times have the same number with a probability of
 * 2^-64.
 *
 * A sum of profiles has the numbers of all that it was made of, and not its own. Memory: 24 bytes a
 * profile. */
#ifndef HCCT_DECODER_COMBINE_MEMBERS_H
#define HCCT_DECODER_COMBINE_MEMBERS_H

#include "decoder/combine/table.h"
#include "decoder/profile/profile.h"

struct hcct_members {
    uint64_t *numbers;
    uint32_t count, capacity;
    struct hcct_table table;
};

/* Reads bytes of a file. False if it has none there. */
typedef bool hcct_members_read(void *file, uint64_t offset, void *bytes, size_t length);
/* The number of a profile, of which only some hundred bytes are read; 0: it is none, or a live file. */
uint64_t hcct_members_number(hcct_members_read *read, void *file);
bool hcct_members_have(const struct hcct_members *members, uint64_t number);
/* Adds a number that is not there. False when memory is out. */
bool hcct_members_add(struct hcct_members *members, uint64_t number);
/* Whether the profile, or one that it was made of, is there. */
bool hcct_members_meet(const struct hcct_members *members, const struct hcct_profile *profile);
/* Adds the profile, or those that it was made of. False when memory is out. */
bool hcct_members_add_all(struct hcct_members *members, const struct hcct_profile *profile);
void hcct_members_free(struct hcct_members *members);

#endif
