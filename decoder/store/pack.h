/* The bytes of a profile (format/layout.h) from its elements: the counterpart of reader.h. */
#ifndef HCCT_DECODER_STORE_PACK_H
#define HCCT_DECODER_STORE_PACK_H

#include <stddef.h>

#include "decoder/store/profile.h"
#include "format/section_writer.h"

/* The bytes of a file with all that the profile has, from malloc; NULL when memory is out. A section that
 * need not be there (notes, threads, names, the curve, the estimate) is written only if it has elements. */
unsigned char *hcct_profile_pack(const struct hcct_profile *profile, size_t *length);
/* Writes the sections of prefixes, contexts and cells, which are many, and completes the profile, but for
 * which sections it has. False when memory is out, a file could not be read or written. */
typedef bool hcct_pack_rows(void *context, struct hcct_section_writer *out, struct hcct_profile *profile);
/* Writes the file into an empty one that can seek; NULL for `write_rows`: the rows are in the profile. False,
 * and errno tells why. */
bool hcct_profile_pack_into(struct hcct_profile *profile, int file, hcct_pack_rows *write_rows,
                            void *context);

#endif
