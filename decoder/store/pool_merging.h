/* What is merged to one part of a pool (pool_merge.c), and how far that is. */
#ifndef HCCT_DECODER_STORE_POOL_MERGING_H
#define HCCT_DECODER_STORE_POOL_MERGING_H

#include <stdbool.h>
#include <stdint.h>

#include "decoder/store/pool_merge.h"

/* A context without its chain that has one in another part: it goes there. */
struct hcct_merging_moved {
    uint64_t word;
    uint32_t prefix, context; /* of the result; of the part */
};

/* One cell of each source, or what it says of a context without one. */
struct hcct_merging_amount {
    uint64_t low, high;
    uint32_t mark;
    bool is_there;
};

struct hcct_merging_source {
    struct hcct_pool_part *part;
    uint32_t *prefix; /* by prefix: that of the result */
    struct hcct_merging_moved *moved;
    uint32_t moved_count;
    uint32_t prefix_at, context_at, moved_at; /* the next ones */
    uint32_t *column;                 /* by column of the result: its own, or NONE: all its cells are 0 */
    uint32_t *cell_at;                /* by column of the result: the next one */
    struct hcct_merging_amount *none; /* by column of the result: what it says of a context that it lacks */
    /* by column of the result: it is one that only sums have, and the source is one profile */
    bool *is_of_one;
    uint32_t context[2]; /* that are the current context of the result, or NONE */
};

struct hcct_merging {
    struct hcct_merging_source *sources;
    uint32_t count;
    struct hcct_records *strings;
    struct hcct_rows to;
    struct hcct_file_cell **cells; /* by column */
    uint32_t *cell_count;
    uint32_t *depth; /* by prefix */
    bool has_estimate;
};

#endif
