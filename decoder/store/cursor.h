/* Reads the elements of a section from the first to the last: where they stand in memory, or in a file, of
 * which it has one window at a time, and unpacks them if they are packed (format/packed.h). */
#ifndef HCCT_DECODER_STORE_CURSOR_H
#define HCCT_DECODER_STORE_CURSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "format/layout.h"
#include "format/packed.h"

/* A place between two elements of a section of a file. */
struct hcct_cursor_place {
    uint64_t offset;                    /* in the file */
    uint32_t before[HCCT_PACKED_WORDS]; /* of packed ones the element in front of it, or 0 */
};

struct hcct_cursor {
    const void *element; /* the current one, until the cursor moves; NULL: there is none any more */
    uint32_t index;      /* its index, the first one's is 0 */
    bool failed;         /* the file could not be read, or an element is not whole: there is none any more */
    uint32_t count, element_bytes;
    /* Of a file. */
    int file; /* -1: they stand in memory */
    bool is_packed;
    uint64_t end; /* where the section ends in the file */
    struct hcct_cursor_place next;
    unsigned char *window; /* from malloc */
    uint32_t window_at, window_end;
    uint64_t window_offset; /* of what follows in the file */
};

/* At the first of `count` elements in memory. */
void hcct_cursor_open(struct hcct_cursor *cursor, const void *elements, uint32_t count,
                      uint32_t element_bytes);
/* At the first of `count` elements behind a place of a section. False when memory is out. `file` must stay
 * open; its offset is not used. */
bool hcct_cursor_open_file(struct hcct_cursor *cursor, int file, const struct hcct_file_section *section,
                           const struct hcct_cursor_place *from, uint32_t count);
/* The place in front of a section's first element. */
struct hcct_cursor_place hcct_cursor_start(const struct hcct_file_section *section);
void hcct_cursor_next(struct hcct_cursor *cursor);
void hcct_cursor_close(struct hcct_cursor *cursor);

#endif
