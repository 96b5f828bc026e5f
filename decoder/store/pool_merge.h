/* Makes one part of a pool (pool.h) of several: merges their rows. */
#ifndef HCCT_DECODER_STORE_POOL_MERGE_H
#define HCCT_DECODER_STORE_POOL_MERGE_H

#include <stdbool.h>
#include <stdint.h>

#include "decoder/store/records.h"
#include "decoder/store/rows.h"
#include "format/section_writer.h"

enum { HCCT_POOL_WAYS = 8 };

/* Rows that were added up, of so many profiles. Strings are those of the pool. */
struct hcct_pool_part {
    struct hcct_rows rows;
    uint32_t profiles;
    uint32_t name;     /* of one profile */
    uint32_t capacity; /* 0: exact */
    bool is_estimate;
    bool lacks_spread; /* and so does what is made of it */
};

/* Makes one part of several, in the pool's strings, and frees the rows of these; `capacity` of the result is
 * kept. `file`: its prefixes, contexts and cells become the next three sections there, and the part has the
 * numbers of them only; no part has contexts without chains, and no more than `capacity` together. Else NULL.
 * False when memory is out, or a file cannot be read or written. */
bool hcct_pool_merge(struct hcct_pool_part *to, struct hcct_pool_part *parts, uint32_t count,
                     struct hcct_records *strings, struct hcct_section_writer *file);

#endif
