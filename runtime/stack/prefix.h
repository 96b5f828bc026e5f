/* Prefix nodes: the chains of the contexts that are kept (the MCCT of D'Elia et al., SPE 2015). A node is a
 * push, and its parent is the push before. A table refers to a node by its index, a number of 32 bits.
 *
 * Invariants
 *   1. two nodes differ in (kind, h); the parent of a node is a node;
 *   2. in mode=hcct a node is kept as long as an entry, a slot or another node refers to it; in mode=cct for
 *      ever.
 * Threads: everything is under the table lock. Signals: only async-signal-safe functions of libc. */
#ifndef HCCT_RUNTIME_STACK_PREFIX_H
#define HCCT_RUNTIME_STACK_PREFIX_H

#include "format/layout.h"
#include "hcct/abi.h"
#include "runtime/base/node.h"
#include "runtime/core/block.h"

#define HCCT_NODE_ROOT 1u /* the root of threads. Node 0 is none */

struct hcct_prefix {
    uint64_t h;
    uint64_t word; /* the pusher's; for kind UNKNOWN, h */
    uint64_t site;
    hcct_node parent;
    uint32_t references;
    uint32_t kind; /* enum hcct_prefix_kind */
    uint32_t next_free;
};

/* Makes the table, with the root only. False if memory is short. */
int hcct_prefix_start(void);
/* Address space is going to be limited: gives back what is reserved beyond a share of it. */
void hcct_prefix_shrink(void);
/* Frees all nodes. Nothing may refer to them. */
void hcct_prefix_stop(void);
/* The node of the frame's prefix, with a reference for the caller. 0 if there is none. The roots of handlers
 * and of split threads are made if they are not there; for these 0 means that memory is short. */
hcct_node hcct_prefix_find(const struct hcct_frame *frame);
/* The same, but makes the node and its ancestors if necessary. `stack`: the thread's, which has scratch
 * memory. 0 if memory is short. */
hcct_node hcct_prefix_intern(const struct hcct_frame *frame, const struct hcct_stack_memory *stack);
/* Extends the chain of `node` by `count` newer frames, copied, newest first. Takes over the caller's
 * reference to `node`. Returns the node of the newest frame, or 0 if memory is short. */
hcct_node hcct_prefix_extend(hcct_node node, const struct hcct_frame *frames, size_t count);
/* The root [unknown] of a prefix h that no frame explains, with a reference for the caller. It is made if it
 * is not there. 0 if memory is short. */
hcct_node hcct_prefix_unknown(uint64_t h);
/* Drops one reference to the node. Under the table lock. */
void hcct_prefix_release(hcct_node node);
/* The leaf or the place `site` of the context (word, parent). Takes over the caller's reference to `parent`.
 * 0 if memory is short. */
hcct_node hcct_prefix_below(hcct_node parent, uint64_t word, uint64_t site, enum hcct_prefix_kind kind);
static inline hcct_node hcct_prefix_leaf(hcct_node parent, uint64_t word, uint64_t site)
{
    return hcct_prefix_below(parent, word, site, HCCT_PREFIX_LEAF);
}
void hcct_prefix_retain(hcct_node node);
/* Whether there are nodes for pins: half of all nodes are left to the entries. */
int hcct_prefix_has_room(void);
/* All nodes are less than this. A node with no reference is free. */
uint32_t hcct_prefix_limit(void);
const struct hcct_prefix *hcct_prefix_at(hcct_node node);
size_t hcct_prefix_bytes(void);

#endif
