/* The tree of a report as a drawing or a listing needs it: siblings hottest first, inclusive counts, depths,
 * and all nodes in depth-first order.
 *
 * Cost: O(n log n) comparisons of siblings; 32 bytes a node. */
#ifndef HCCT_DECODER_REPORT_LAYOUT_H
#define HCCT_DECODER_REPORT_LAYOUT_H

#include "decoder/claim/amount.h"
#include "decoder/report/report.h"

struct hcct_layout {
    /* Siblings hottest first: by inclusive count, then by name and site; [other] last. */
    struct hcct_tree_children children;
    uint64_t *inclusive; /* per node: the lower bounds of itself and of those below it, claim.h */
    uint64_t *error;     /* per node: the most by which that may be too low */
    uint32_t *order;     /* all nodes, depth first */
    uint32_t *depth;     /* per node: 0 for a root */
    uint64_t total;      /* of the roots' inclusive counts */
    uint32_t deepest;    /* levels of the tree; 0 if it is empty */
};

void hcct_layout_open(struct hcct_layout *layout, const struct hcct_report *report);
void hcct_layout_close(struct hcct_layout *layout);

/* A node's inclusive total with its unit, and how much more it may be if that is much: "20 calls", "20 to 24
 * calls". Returns the buffer. */
const char *hcct_layout_text(const struct hcct_layout *layout, const struct hcct_report *report,
                             uint32_t node, char buffer[2 * HCCT_AMOUNT_BYTES]);

#endif
