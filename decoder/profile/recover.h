/* A profile from the tables of a process that was killed, or is running (format/live.h).
 *
 * A pure function of (pointer, length): no I/O, no globals. The bytes are not trusted: nothing is followed
 * that was not checked; links between tables are not used at all, arrays are read from end to end. */
#ifndef HCCT_DECODER_PROFILE_RECOVER_H
#define HCCT_DECODER_PROFILE_RECOVER_H

#include <stdbool.h>
#include <stddef.h>

#include "format/error.h"

/* Whether the bytes are such tables, as far as their first bytes tell. */
bool hcct_recover_is_live(const void *bytes, size_t length);
/* As hcct_section_wanted_bytes (format/section_reader.h). */
uint64_t hcct_recover_wanted_bytes(const void *bytes, size_t length);
/* Makes the bytes of a profile, to be freed, out of `bytes`. */
bool hcct_recover(const void *bytes, size_t length, void **file, size_t *file_length,
                  struct hcct_error *error);

#endif
