/* The frames that the tree of a report uses, numbered from 0, for formats that list frames apart from
 * nodes. */
#ifndef HCCT_DECODER_REPORT_FRAME_LIST_H
#define HCCT_DECODER_REPORT_FRAME_LIST_H

#include "decoder/report/report.h"

/* Each frame stands in the list once, but [xN] once for each node, as N belongs to the node. */
struct hcct_frame_list {
    uint32_t *number; /* per node: of its frame */
    uint32_t *node;   /* per number: the first node with that frame */
    uint32_t count;
};

void hcct_frame_list_open(struct hcct_frame_list *list, const struct hcct_report *report);
void hcct_frame_list_close(struct hcct_frame_list *list);

#endif
