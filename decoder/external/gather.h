/* The contexts of an external sum (external.h): the records of each one added up, in the order in which
 * combine.h would have them. */
#ifndef HCCT_DECODER_EXTERNAL_GATHER_H
#define HCCT_DECODER_EXTERNAL_GATHER_H

#include "decoder/external/external.h"

struct hcct_gather {
    struct hcct_external *external;
    struct hcct_sorter results; /* order, word, prefix, count, error, spread */
    uint32_t context_count;
    bool has_spread;
    struct hcct_file_pin *pins;
    uint32_t pin_count;
    uint64_t *strip_words; /* NULL: without spread */
    uint32_t strip_word_count;
    uint32_t *names; /* by number: where the strings have it, or HCCT_FILE_NONE */
    /* while the results are read */
    struct hcct_sorted reading;
    bool reads_spread;
    struct hcct_file_entry entry;
    struct hcct_file_spread spread;
};

/* Adds up all contexts, and numbers the prefixes of `external`. False if that failed; it may be closed even
 * then. */
bool hcct_gather_open(struct hcct_gather *gather, struct hcct_external *external);
/* The next struct hcct_file_entry, and then the next struct hcct_file_spread; NULL if reading failed. */
const void *hcct_gather_next_entry(void *gather);
const void *hcct_gather_next_spread(void *gather);
void hcct_gather_close(struct hcct_gather *gather);

#endif
