/* What a profile says of the phases that the program named (struct hcct_file_phase).
 *
 * Everything behind this reads counts of entries. So a phase is chosen by a copy of the entries with its
 * counts, and of the run with its N and its floor. What the run dropped is not told by phase: with mode=cct
 * it is what the phase's counts lack, otherwise the whole run's, up to the phase's N. Of an estimate a
 * phase gets the part of the bursts or samples that is its own at the least, and of sampled calls bounds of
 * its N. How many calls were counted in it is not known. */
#ifndef HCCT_DECODER_PROFILE_PHASES_H
#define HCCT_DECODER_PROFILE_PHASES_H

#include "decoder/profile/profile.h"
#include "format/error.h"

/* The index of the first element of the next phase; phase_count behind the last one. */
uint32_t hcct_phases_next(const struct hcct_profile *profile, uint32_t phase);
/* The first element of the phase of that name, or HCCT_FILE_NONE. */
uint32_t hcct_phases_find(const struct hcct_profile *profile, const char *name);
/* Whether the profile counted anything in that phase. What a profile without phases counted is in none. */
bool hcct_phases_have(const struct hcct_profile *profile, const char *name);
/* From now on the counts are those of this phase. False if the profile has no such phase, or memory is
 * out. */
bool hcct_phases_choose(struct hcct_profile *profile, const char *name, struct hcct_error *error);

#endif
