/* Reads and checks the bytes of a whole profile: sections, elements, the numbering, in this order. Nothing is
 * read before the test that makes reading it safe.
 *
 * But for rows that stay in a file a pure function of (pointer, length): no I/O, no globals.
 * Cost: O(bytes + sites log sites). */
#ifndef HCCT_DECODER_STORE_READER_H
#define HCCT_DECODER_STORE_READER_H

#include <stddef.h>

#include "decoder/store/profile.h"
#include "format/error.h"
#include "format/section_reader.h"

struct hcct_rows_file;

/* Opens the profile in `bytes`, in which nothing is packed. `file_length` is the length of the file that they
 * were read from, and limits what the profile may mean. `rows` NULL: `bytes` has the rows. Otherwise the rows
 * stay in that file, and become the profile's. On false nothing but `rows` has to be freed, and *error tells
 * why, unless rows in the file are the reason. */
bool hcct_reader_read(struct hcct_profile *profile, const void *bytes, size_t length, size_t file_length,
                      struct hcct_rows_file *rows, struct hcct_error *error);
/* Builds the index of a profile that was put together. False, with *error, if it is no numbering. */
bool hcct_reader_index(struct hcct_profile *profile, struct hcct_error *error);
/* Whether the functions and sites of a profile that was put together are a numbering: those that a reader
 * takes. False also when memory is out. */
bool hcct_reader_is_numbering(const struct hcct_profile *profile);

#endif
