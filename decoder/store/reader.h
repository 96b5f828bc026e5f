/* Reads and checks the bytes of a whole profile: sections, elements, the numbering, in this order. Nothing is
 * read before the test that makes reading it safe.
 *
 * A pure function of (pointer, length): no I/O, no globals. Cost: O(bytes + sites log sites). */
#ifndef HCCT_DECODER_STORE_READER_H
#define HCCT_DECODER_STORE_READER_H

#include <stddef.h>

#include "decoder/store/profile.h"
#include "format/error.h"
#include "format/section_reader.h"

/* On false nothing has to be closed, and *error tells why. */
bool hcct_reader_read(struct hcct_profile *profile, const void *bytes, size_t length,
                      struct hcct_error *error);
/* The same of the bytes that a packed file has without packing. The limits are those of the file. */
bool hcct_reader_read_unpacked(struct hcct_profile *profile, const void *bytes, size_t length,
                               const void *file, size_t file_length, struct hcct_error *error);
/* Builds the index of a profile that was put together. False, with *error, if it is no numbering. */
bool hcct_reader_index(struct hcct_profile *profile, struct hcct_error *error);
/* Whether the functions and sites of a profile that was put together are a numbering: those that a reader
 * takes. False also when memory is out. */
bool hcct_reader_is_numbering(const struct hcct_profile *profile);

#endif
