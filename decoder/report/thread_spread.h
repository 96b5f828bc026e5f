/* --spread=threads: the threads that began with one function as one tree, and how they differ there: what
 * tree/spread.h tells of profiles, told of threads. Of a run with threads=split. */
#ifndef HCCT_DECODER_REPORT_THREAD_SPREAD_H
#define HCCT_DECODER_REPORT_THREAD_SPREAD_H

#include "decoder/tree/spread.h"
#include "decoder/tree/tree.h"

struct hcct_thread_spread {
    struct hcct_tree tree; /* a node's `spread` is its number plus 1; 0 where there is one such thread only */
    struct hcct_spread *values; /* by node */
};

/* Joins the threads of a tree by site, in which a context that a thread lacks has up to `floor` there. */
void hcct_thread_spread_open(struct hcct_thread_spread *it, const struct hcct_tree *from,
                             struct hcct_frames *frames, uint64_t floor);
void hcct_thread_spread_close(struct hcct_thread_spread *it);

#endif
