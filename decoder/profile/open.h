/* Opens any file that a run leaves: a whole profile, or the tables of a process that was killed or is
 * running. */
#ifndef HCCT_DECODER_PROFILE_OPEN_H
#define HCCT_DECODER_PROFILE_OPEN_H

#include <stddef.h>

#include "decoder/profile/profile.h"
#include "format/error.h"

/* Whether they begin as one does. */
bool hcct_profile_begins(const void *bytes, size_t length);
/* `bytes` is aligned to 8. On false nothing has to be closed, and *error tells why. */
bool hcct_profile_open(struct hcct_profile *profile, const void *bytes, size_t length,
                       struct hcct_error *error);

#endif
