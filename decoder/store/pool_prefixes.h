/* Of merging: prefixes, and contexts that have lost theirs. */
#ifndef HCCT_DECODER_STORE_POOL_PREFIXES_H
#define HCCT_DECODER_STORE_POOL_PREFIXES_H

#include <stdbool.h>

#include "decoder/store/pool_merging.h"

/* Makes the prefixes of the result, and tells each source which of them it has. False when memory is out, or
 * a file cannot be read or written. */
bool hcct_merging_add_prefixes(struct hcct_merging *it);
/* Finds chains for the contexts that have none. False as above. */
bool hcct_merging_find_chains(struct hcct_merging *it);

#endif
