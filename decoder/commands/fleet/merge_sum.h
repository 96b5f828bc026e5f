/* One sum that hcct-merge makes: in memory, or with --memory by sorting in temporary files (external.h) as
 * long as all its profiles are exact. When one comes that is not, what there is becomes the first profile of
 * a sum in memory.
 *
 * Temporary files would grow with the number of profiles. So a sum that has grown to 8 times what it was
 * after the last time is written to a temporary file, and becomes the first profile of the rest. */
#ifndef HCCT_DECODER_COMMANDS_MERGE_SUM_H
#define HCCT_DECODER_COMMANDS_MERGE_SUM_H

#include "decoder/combine/one_build/combine.h"
#include "decoder/external/external.h"

/* What all sums may use together. */
struct hcct_merge_memory {
    uint64_t bytes; /* 0: there is no limit */
    struct hcct_spill spill;
};

struct hcct_build_sum {
    struct hcct_combine combine;
    struct hcct_external external; /* `combine` is a part of it, if its spill is not NULL */
    uint64_t shrinks_at;           /* bytes in its sorters */
    char *first;                   /* the name of the first profile in it, for a sum of one; or NULL */
};

void hcct_merge_memory_open(struct hcct_merge_memory *memory, uint64_t bytes);
/* A file of more bytes is not read into memory. */
uint64_t hcct_merge_memory_of_file(const struct hcct_merge_memory *memory);
void hcct_merge_memory_close(struct hcct_merge_memory *memory);

/* An empty sum; NULL when memory is out. */
struct hcct_build_sum *hcct_build_sum_new(struct hcct_merge_memory *memory, bool leaves_spread,
                                          const char *first);
/* As hcct_combine_add. */
bool hcct_build_sum_add(struct hcct_build_sum *sum, struct hcct_merge_memory *memory,
                        const struct hcct_profile *profile, struct hcct_error *error);
/* Makes it a sum in memory. */
bool hcct_build_sum_to_memory(struct hcct_build_sum *sum, struct hcct_error *error);
/* Writes the profile into an empty file that can seek. As hcct_external_write. */
bool hcct_build_sum_write(struct hcct_build_sum *sum, int file, struct hcct_error *error);
void hcct_build_sum_free(struct hcct_build_sum *sum);

#endif
