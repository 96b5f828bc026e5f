/* The rows of a profile: its prefixes and contexts, and their cells in each column. All that adding up needs,
 * so that what is static (functions, sites, objects) may be gathered beside it (records.h).
 *
 * Sorted rows are in canonical order (layout.h), and have no prefix and no context twice. */
#ifndef HCCT_DECODER_STORE_ROWS_H
#define HCCT_DECODER_STORE_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "decoder/store/cursor.h"
#include "decoder/store/profile.h"
#include "decoder/store/records.h"
#include "decoder/store/rows_file.h"
#include "format/layout.h"

/* Makes the sorted rows of a profile, to be freed by hcct_rows_free. Names stay offsets of the profile's
 * strings. Rows in memory are copied, never NULL; contexts that are there twice become one, with the sum of
 * their cells. Rows that stay in a file stay there: then the arrays but `columns` are NULL, and the file and
 * a copy of the strings are the rows' own. False when memory or descriptors are out. */
bool hcct_rows_of(struct hcct_rows *rows, const struct hcct_profile *profile);
/* Reads rows that are in a file into the arrays. False when memory is out, or the file cannot be read. */
bool hcct_rows_load(struct hcct_rows *rows);
/* Cursors at the first prefix, the first context, and the first cell of a column. Close them. False when
 * memory is out. */
bool hcct_rows_prefixes(const struct hcct_rows *rows, struct hcct_cursor *cursor);
bool hcct_rows_contexts(const struct hcct_rows *rows, struct hcct_cursor *cursor);
bool hcct_rows_cells(const struct hcct_rows *rows, uint32_t column, struct hcct_cursor *cursor);
/* The first of the contexts that have no chain, which are in memory; the number of contexts if there is
 * none. */
uint32_t hcct_rows_chainless(const struct hcct_rows *rows);
/* The file of a profile whose rows are in any order; from malloc, NULL when memory is out. */
unsigned char *hcct_profile_pack_sorted(const struct hcct_profile *profile, size_t *length);
/* Keeps the `kept_count` contexts with the largest cells of the first column, the pinned ones, and the
 * prefixes that these need. Of equal cells the first context is kept. What is left out goes into the floors,
 * into `missing`, and into the functions of `records`. The rows are in memory. False when memory is out. */
bool hcct_rows_cut(struct hcct_rows *rows, struct hcct_records *records, uint32_t kept_count);
/* The hash h of a prefix: a word below it is h + id. */
uint64_t hcct_rows_prefix_hash(const struct hcct_rows *rows, uint32_t index);
/* Whether two columns are of one name and part. */
bool hcct_rows_have_twins(const struct hcct_rows *rows);
/* Joins columns of one name and part, as if they were of several profiles. False when memory is out. */
bool hcct_rows_join_columns(struct hcct_rows *rows);
/* The column of that name and part, which are offsets of strings; HCCT_FILE_NONE: there is none. */
uint32_t hcct_rows_find(const struct hcct_rows *rows, uint32_t name, uint32_t part);
void hcct_rows_free(struct hcct_rows *rows);

#endif
