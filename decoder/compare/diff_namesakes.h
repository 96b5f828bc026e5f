/* What is left over anywhere in two trees, and has the same name: a call may have moved to another caller. */
#ifndef HCCT_DECODER_COMPARE_DIFF_NAMESAKES_H
#define HCCT_DECODER_COMPARE_DIFF_NAMESAKES_H

#include <stdbool.h>
#include <stdint.h>

#include "decoder/compare/diff_matcher.h"

/* B's nodes without a counterpart, by name, as they were when these were gathered. */
struct hcct_namesakes {
    uint32_t *first; /* [name_count + 1] into node */
    uint32_t *next;  /* [name_count] the first one that may be without a counterpart yet */
    uint32_t *node;
    uint32_t name_count;
};

/* Fills zeroed `namesakes`. */
void hcct_namesakes_gather(const struct hcct_diff_side *side, struct hcct_namesakes *namesakes);
/* The best counterpart of `a` among B's nodes of its name, or HCCT_NODE_NONE. */
uint32_t hcct_namesakes_find(const struct hcct_matcher *matcher, const struct hcct_namesakes *namesakes,
                             uint32_t a);
void hcct_namesakes_free(struct hcct_namesakes *namesakes);

#endif
