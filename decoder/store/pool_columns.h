/* Of merging: which columns the result has, and what their cells are. */
#ifndef HCCT_DECODER_STORE_POOL_COLUMNS_H
#define HCCT_DECODER_STORE_POOL_COLUMNS_H

#include <stdbool.h>

#include "decoder/store/pool_merging.h"

/* Sets `to.columns`, what each source has for them, and what they say as a whole. False when memory is
 * out. */
bool hcct_merging_choose_columns(struct hcct_merging *it);
/* Adds the cells of the context that the sources' `context` are: of each column, if they say anything.
 * Whether any does. */
bool hcct_merging_add_cells(struct hcct_merging *it);
/* Puts the columns' cells one behind the other. False when memory is out. */
bool hcct_merging_join_columns(struct hcct_merging *it);

#endif
