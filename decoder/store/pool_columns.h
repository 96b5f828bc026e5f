/* Of merging: which columns the result has, and what their cells are. */
#ifndef HCCT_DECODER_STORE_POOL_COLUMNS_H
#define HCCT_DECODER_STORE_POOL_COLUMNS_H

#include <stdbool.h>

#include "decoder/store/pool_merging.h"

/* Sets `to.columns`, what each source has for them, and what they say as a whole. */
void hcct_merging_choose_columns(struct hcct_merging *it);
/* Makes the cells of each column, and says in it where they are. False when memory is out, or a file cannot
 * be read or written. */
bool hcct_merging_add_cells(struct hcct_merging *it);

#endif
