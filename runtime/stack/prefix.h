/* Prefix nodes: the chains of pushes of the contexts that are kept (the MCCT of D'Elia et al., SPE 2015).
 *
 * Invariants
 *   1. two nodes differ in (kind, h); the parent of a node is a node;
 *   2. in mode=hcct a node lives as long as an entry, a slot or another node refers to it; in mode=cct for
 *      ever;
 *   3. nodes are indices, so that 32 bits in a table name one; 0 is none, HCCT_NODE_ROOT the thread's root.
 * Threads: under the table lock. Signals: no function of libc that is not async-signal-safe. */
#ifndef HCCT_RUNTIME_STACK_PREFIX_H
#define HCCT_RUNTIME_STACK_PREFIX_H

#include "format/layout.h"
#include "hcct/abi.h"
#include "runtime/base/node.h"

#define HCCT_NODE_ROOT 1u
#define HCCT_NODE_UNKNOWN 2u /* the first of many: one per h that is not explained */

struct hcct_prefix {
    uint64_t h;
    uint64_t word; /* of the pusher; kind UNKNOWN: h */
    uint64_t site;
    hcct_node parent;
    uint32_t references;
    uint32_t kind; /* enum hcct_prefix_kind */
    uint32_t next_free;
};

/* Makes the empty table; false if memory is short. */
int hcct_prefix_start(void);
/* Address space is about to be short: gives back what is reserved beyond a share of it. Under the table
 * lock. */
void hcct_prefix_shrink(void);
/* Lets all nodes go, when nothing refers to them. */
void hcct_prefix_stop(void);
/* From now on nodes are in the file of live.h. */
void hcct_prefix_back(void);
/* The node of the prefix that `frame` made, with a reference for the caller; 0 if it is not there. */
hcct_node hcct_prefix_find(const struct hcct_frame *frame);
/* The same, made if it is not there, its ancestors too; `pending` is scratch for one number a frame. 0 if
 * memory is short. */
hcct_node hcct_prefix_intern(const struct hcct_frame *frame, const struct hcct_frame **pending,
                             size_t pending_limit);
/* The same, below `node`, from copies of the frames above it: `count` of them, newest first. Takes over the
 * caller's reference. */
hcct_node hcct_prefix_extend(hcct_node node, const struct hcct_frame *frames, size_t count);
/* A root [unknown] for a prefix h that no frame explains. */
hcct_node hcct_prefix_unknown(uint64_t h);
/* The leaf `site` of the context (word, parent); takes over the caller's reference to `parent`. 0 if memory
 * is short. */
hcct_node hcct_prefix_leaf(hcct_node parent, uint64_t word, uint64_t site);
void hcct_prefix_retain(hcct_node node);
/* Whether more may be kept than what is counted needs: half of the nodes are left to that. */
int hcct_prefix_has_room(void);
/* Nodes are 1 .. hcct_prefix_limit() - 1; one with references 0 is free. */
uint32_t hcct_prefix_limit(void);
const struct hcct_prefix *hcct_prefix_at(hcct_node node);
size_t hcct_prefix_bytes(void);

#endif
