/* Finds, checks and unpacks the sections of a profile (format/layout.h, invariants 1 to 3): the first thing
 * that every reader does. What the elements hold is not looked at.
 *
 * A pure function of (bytes, length): no I/O, no malloc, no globals. Any bytes are safe to read.
 * Cost: O(length), for the checksums. */
#ifndef HCCT_FORMAT_SECTION_READER_H
#define HCCT_FORMAT_SECTION_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/error.h"
#include "format/layout.h"

struct hcct_section_table {
    const unsigned char *bytes;
    struct hcct_file_section of_kind[HCCT_FILE_KIND_COUNT]; /* element_bytes is 0 where there is none */
};

/* Of a file that is read from its start the first `length` bytes are here: up to where to read next. Of a
 * whole file that is one byte more than it has, so that bytes behind its end are noticed. No more than
 * `length`: the file is not sound. */
uint64_t hcct_section_wanted_bytes(const void *bytes, size_t length);

/* The same checks, of a file of `file_length` bytes: false, with *error, if its header and section table are
 * not sound. Then its sections are where they say. */
bool hcct_section_head_check(const void *bytes, size_t length, uint64_t file_length,
                             struct hcct_error *error);

/* Before hcct_section_table_read a packed file has to be unpacked. Tells how many bytes it has then, at most
 * sixteen times as many; 0: nothing in it is packed. False, with *error, if something is, and the file is not
 * sound. `bytes` are aligned to 8. */
bool hcct_section_unpacked_bytes(const void *bytes, size_t length, size_t *unpacked,
                                 struct hcct_error *error);
/* Makes the same file without packing, of so many bytes, aligned to 8. */
void hcct_section_unpack(void *to, size_t unpacked, const void *bytes);
/* Writes the header, with its checksum, and the section table in front of sections that were put together. */
void hcct_section_seal(void *bytes, struct hcct_file_header *header,
                       const struct hcct_file_section *sections);

/* False, with *error, if these are not the bytes of a whole profile: `bytes` are aligned to 8. Then every
 * section that a profile must have is there, inside the bytes, and its elements have the size of their
 * structure. */
bool hcct_section_table_read(struct hcct_section_table *table, const void *bytes, size_t length,
                             struct hcct_error *error);

/* The elements of the section of that kind, and how many there are; NULL and 0 where there is none. */
const void *hcct_section_elements(const struct hcct_section_table *table, enum hcct_file_kind kind,
                                  uint32_t *count);

#endif
