/* Opens a profile, packed or not. */
#ifndef HCCT_DECODER_STORE_OPEN_H
#define HCCT_DECODER_STORE_OPEN_H

#include <stddef.h>
#include <stdio.h>

#include "decoder/store/profile.h"
#include "format/error.h"

/* As hcct_section_wanted_bytes (format/section_reader.h), for profiles and for other files. */
typedef uint64_t hcct_wanted_bytes(const void *bytes, size_t length);

/* Reads a file as far as its bytes say that there is something to read. *bytes is from malloc, also on false;
 * then errno tells why. */
bool hcct_profile_read(FILE *in, hcct_wanted_bytes *wanted, void **bytes, size_t *length);
/* Checks the checksums of a large profile (4 MB or more) in little memory. False, with *error, if one does
 * not match. True without a look at a pipe, a smaller file, or one that is no profile. Then the file is at
 * its start again. */
bool hcct_profile_check_large(FILE *in, struct hcct_error *error);
/* Opens a large profile whose checksums match, and leaves its rows in the file, whatever happens to `in`.
 * False: it is no large one, or its rows must be looked at all together: open it as a whole, which tells what
 * is wrong with it. Then the file is at its start again. */
bool hcct_profile_open_large(struct hcct_profile *profile, FILE *in);
/* `bytes` is aligned to 8. On false nothing has to be closed, and *error tells why. */
bool hcct_profile_open(struct hcct_profile *profile, const void *bytes, size_t length,
                       struct hcct_error *error);

#endif
