/* The contexts of a profile, in canonical order (format/layout.h), and the prefixes that they need. */
#ifndef HCCT_RUNTIME_OUTPUT_ROWS_H
#define HCCT_RUNTIME_OUTPUT_ROWS_H

#include "runtime/output/image.h"

/* Memory for nodes below `node_limit`. False if it is short. */
bool hcct_rows_open(struct hcct_image *image, uint32_t node_limit);
/* Counts the contexts, and tells image->subset what they need. */
void hcct_rows_choose(struct hcct_image *image);
/* Whether the file has the node. After hcct_rows_write. */
bool hcct_rows_have_node(const struct hcct_image *image, hcct_node node);
/* Writes prefixes and contexts. */
void hcct_rows_write(struct hcct_image *image);
void hcct_rows_close(struct hcct_image *image);

#define HCCT_ROWS_PIN UINT32_MAX /* a row's place, if it is no entry */

/* A walk over the contexts of the file; it begins zeroed. Of a context that is pinned and has an entry, two
 * rows are one. */
struct hcct_rows_walk {
    size_t row, place;
    const struct hcct_pin *pin;
    bool has_begun;
    struct hcct_canonical_row now;
    uint32_t context; /* the index of `now` */
    bool is_new;      /* the first row of its context */
};

/* hcct_rows_next where rows are as the tables have them. */
bool hcct_rows_next_unsorted(const struct hcct_image *image, struct hcct_rows_walk *walk);

/* False behind the last row. */
static inline bool hcct_rows_next(const struct hcct_image *image, struct hcct_rows_walk *walk)
{
    if (!image->rows)
        return hcct_rows_next_unsorted(image, walk);
    if (walk->row == image->row_count)
        return false;
    struct hcct_canonical_row row = image->rows[walk->row++];
    walk->is_new = !walk->has_begun || row.word != walk->now.word || row.prefix != walk->now.prefix;
    walk->context += walk->has_begun && walk->is_new;
    walk->has_begun = true;
    walk->now = row;
    return true;
}

/* The entry of a row that is one. */
struct hcct_entry hcct_rows_entry(const struct hcct_image *image, const struct hcct_rows_walk *walk);

#endif
