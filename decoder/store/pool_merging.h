/* The state of a merge of several parts of a pool into one (pool_merge.c). */
#ifndef HCCT_DECODER_STORE_POOL_MERGING_H
#define HCCT_DECODER_STORE_POOL_MERGING_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "decoder/store/members.h"
#include "decoder/store/pool_merge.h"
#include "format/section_writer.h"

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
    struct hcct_members prefixes;     /* which of the result's it has */
    struct hcct_merging_moved *moved; /* in the order of the result */
    uint32_t moved_count;
    uint32_t *column;                 /* by column of the result: its own, or NONE: all its cells are 0 */
    struct hcct_merging_amount *none; /* by column of the result: what it says of a context that it lacks */
    /* by column of the result: it is one that only sums have, and the source is one profile */
    bool *is_of_one;
};

struct hcct_merging_owners {
    uint8_t have, moved;
};
static_assert(HCCT_POOL_WAYS <= 8, "a source is a bit of a byte");

/* Two names, of which one comes first. */
struct hcct_merging_names {
    uint32_t mark, other;
    bool is_before;
};

struct hcct_merging {
    struct hcct_merging_source *sources;
    uint32_t count;
    struct hcct_records *strings;
    struct hcct_section_writer *file; /* where prefixes, contexts and cells go; NULL: into `to` */
    struct hcct_rows to;
    uint32_t room[3]; /* of its arrays: prefixes, contexts, cells */
    /* By context of the result: which sources have it, and which by one that was moved; a bit for each. */
    struct hcct_merging_owners *owners;
    uint32_t owner_room;
    bool has_estimate;
    struct hcct_merging_names names[64]; /* that were compared */
};

/* Where the next one of the result goes; NULL when memory is out, or the file cannot be written. */
struct hcct_file_prefix *hcct_merging_prefix(struct hcct_merging *it);
struct hcct_file_context *hcct_merging_context(struct hcct_merging *it);
struct hcct_file_cell *hcct_merging_cell(struct hcct_merging *it);

#endif
