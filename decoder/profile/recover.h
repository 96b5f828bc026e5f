/* A profile from the tables of a process that was killed, or is running (hcct/live.h).
 *
 * A pure function of (pointer, length): no I/O, no globals. The bytes are not trusted: nothing is followed
 * that was not checked; links between tables are not used at all, arrays are read from end to end. */
#ifndef HCCT_DECODER_PROFILE_RECOVER_H
#define HCCT_DECODER_PROFILE_RECOVER_H

#include <stdbool.h>
#include <stddef.h>

#include "decoder/profile/error.h"
#include "decoder/profile/reader.h"

/* Whether the bytes are such tables, as far as their first bytes tell. */
bool hcct_recover_is_live(const void *bytes, size_t length);
/* Makes the bytes of a profile, to be freed, out of `bytes`, which are aligned to 8. `open` opens what is a
 * profile already, the static piece: hcct_profile_open, but for what is live itself. */
bool hcct_recover(const void *bytes, size_t length,
                  bool (*open)(struct hcct_profile *, const void *, size_t, struct hcct_decode_error *),
                  void **image, size_t *image_length, struct hcct_decode_error *error);

#endif
