/* Which contexts of a run with HCCT_OPTIONS=known= are new (layout.h, HCCT_FILE_NEW). */
#ifndef HCCT_DECODER_PROFILE_NEW_H
#define HCCT_DECODER_PROFILE_NEW_H

#include "decoder/profile/profile.h"
#include "format/error.h"

/* NULL: the run did not tell. */
const struct hcct_file_new *hcct_new_numbers(const struct hcct_profile *profile);
/* Leaves the entries of new contexts only. N stays that of all calls. False if the profile does not tell, or
 * memory is out. */
bool hcct_new_choose(struct hcct_profile *profile, struct hcct_error *error);

#endif
