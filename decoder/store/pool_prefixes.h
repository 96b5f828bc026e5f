/* Of merging: prefixes, and contexts that have lost theirs. */
#ifndef HCCT_DECODER_STORE_POOL_PREFIXES_H
#define HCCT_DECODER_STORE_POOL_PREFIXES_H

#include <stdbool.h>

#include "decoder/store/pool_merging.h"

/* Makes `to.prefixes`, and tells each source what its own are there. */
void hcct_merging_add_prefixes(struct hcct_merging *it);
/* Finds chains for the contexts that have none. False when memory is out. */
bool hcct_merging_find_chains(struct hcct_merging *it);

#endif
