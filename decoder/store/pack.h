/* The bytes of a profile (format/layout.h) from its elements: the counterpart of reader.h. */
#ifndef HCCT_DECODER_STORE_PACK_H
#define HCCT_DECODER_STORE_PACK_H

#include <stddef.h>

#include "decoder/store/profile.h"

/* A file with the profile's run, elements and counts of them, from malloc; NULL when memory is out. A section
 * that need not be there (threads, names, the curve, the estimate) is written if there is any of it. */
unsigned char *hcct_profile_pack(const struct hcct_profile *profile, size_t *length);
/* The same into an empty file that can seek. False, and errno tells why. */
bool hcct_profile_pack_into(const struct hcct_profile *profile, int file);

#endif
