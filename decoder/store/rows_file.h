/* The rows of a large profile that stay in its file: merging reads them from the first to the last, so it
 * needs no more of them than a window (cursor.h). They are in canonical order (format/canonical.h), and each
 * context has its chain. */
#ifndef HCCT_DECODER_STORE_ROWS_FILE_H
#define HCCT_DECODER_STORE_ROWS_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "decoder/store/cursor.h"
#include "decoder/store/profile.h"

struct hcct_rows_file {
    int file; /* its own */
    struct hcct_file_section prefixes, contexts, cells;
    struct hcct_cursor_place *columns; /* in front of the first cell of each */
    uint32_t prefix_count, context_count, column_count, cell_count;
    char *strings; /* what marks of cells are offsets of; NULL: those of the pool (pool.h) */
};

/* Reads all rows once. `file` and the three sections are set before; this sets the rest, and the counts of
 * rows in the profile. `text_left`: the bytes of text to which marks may refer in all; NULL: no limit. False
 * if an element is not sound, rows are not in order, a context has no chain, or memory is out. */
bool hcct_rows_file_scan(struct hcct_rows_file *rows, struct hcct_profile *profile, uint64_t *text_left);
/* The rows in a file whose sections of prefixes, contexts and cells are these. Takes over `file`, and closes
 * it on failure, too. NULL when memory is out, or the file cannot be read. */
struct hcct_rows_file *hcct_rows_file_of(int file, const struct hcct_file_section sections[3],
                                         struct hcct_file_column *columns, uint32_t column_count);
/* One of its own; NULL when memory or descriptors are out. */
struct hcct_rows_file *hcct_rows_file_copy(const struct hcct_rows_file *rows);
void hcct_rows_file_free(struct hcct_rows_file *rows);

/* Cursors at the first of all. Close them. False when memory is out. */
bool hcct_rows_file_prefixes(const struct hcct_rows_file *rows, struct hcct_cursor *cursor);
bool hcct_rows_file_contexts(const struct hcct_rows_file *rows, struct hcct_cursor *cursor);
/* At the first of the `count` cells of a column. */
bool hcct_rows_file_cells(const struct hcct_rows_file *rows, uint32_t column, uint32_t count,
                          struct hcct_cursor *cursor);

#endif
