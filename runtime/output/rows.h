/* The contexts of a profile: which there are, in canonical order (format/layout.h), and their cells in each
 * column. */
#ifndef HCCT_RUNTIME_OUTPUT_ROWS_H
#define HCCT_RUNTIME_OUTPUT_ROWS_H

#include "runtime/output/image.h"

/* Memory for nodes below `node_limit`. False if it is short. */
bool hcct_rows_open(struct hcct_image *image, uint32_t node_limit);
/* Counts the contexts, and tells image->subset what they need. */
void hcct_rows_choose(struct hcct_image *image);
/* Whether the file has the node. After hcct_rows_write. */
bool hcct_rows_have_node(const struct hcct_image *image, hcct_node node);
/* Writes prefixes, contexts, cells and columns. With `is_whole` false there are none but the root and a
 * column. */
void hcct_rows_write(struct hcct_image *image, bool is_whole);
void hcct_rows_close(struct hcct_image *image);
/* The columns of the run's meter, or NULL. */
const struct hcct_meter_columns *hcct_rows_of_meter(void);

#endif
