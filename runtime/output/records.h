/* Functions and sites in a profile: the records of all objects that have ids, in ascending order of their
 * bases. */
#ifndef HCCT_RUNTIME_OUTPUT_RECORDS_H
#define HCCT_RUNTIME_OUTPUT_RECORDS_H

#include "hcct/abi.h"
#include "runtime/output/image.h"

struct hcct_image_function {
    const struct hcct_function *record;
    uint64_t base; /* as in its state: sorting and searching stay in this array */
    uint32_t object;
};

/* Fills `functions`. False if memory is short. */
bool hcct_records_gather(struct hcct_image *image);
/* Equal for two runs whose ids mean the same: functions, numbering and sites. */
uint64_t hcct_records_hash(const struct hcct_image *image);
void hcct_records_write_functions(struct hcct_image *image);
/* With the inlined frames around them. */
void hcct_records_write_sites(struct hcct_image *image);

#endif
