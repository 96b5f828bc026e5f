/* What the heap meter knows of each context that allocates.
 *
 * Peak. The heap is at its peak when the bytes of all live blocks are at their maximum; the first such moment
 * counts. What each context had then is not copied at that moment. A context notes it later, when it is about
 * to change for the first time since: until then its live blocks are what they were. So a change costs the
 * same whether the heap grows or not, and the result is exact.
 *
 * Invariants
 *   1. context 0 has the blocks of all contexts that are not kept; each other context has a key of its own;
 *   2. changed <= peak_moment: the context had at the peak what it has now. Otherwise it had peak_bytes and
 *      peak_blocks;
 *   3. the sum of each value over all contexts is that of the process;
 *   4. a context other than 0 holds one reference to its node.
 * Threads: under the table lock. */
#ifndef HCCT_RUNTIME_HEAP_CONTEXTS_H
#define HCCT_RUNTIME_HEAP_CONTEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/layout.h"
#include "runtime/base/node.h"
#include "runtime/heap/tables/sample.h"

struct hcct_heap_context {
    hcct_node node;
    uint64_t allocated_bytes, blocks; /* ever */
    uint64_t told_bytes;              /* the part of allocated_bytes that the core's tables have */
    uint64_t live_bytes, live_blocks;
    uint64_t peak_bytes, peak_blocks;
    uint64_t changed; /* the moment of its last change */
    uint64_t temporary, resized;
    uint64_t lost_bytes, lost_blocks; /* of the last scan (scan.h) */
    /* of all blocks, the bytes that the process allocated from a block's birth to its end: without those of
     * the live blocks, from whose births to 0 it counts backwards */
    unsigned __int128 life;
    uint32_t sizes[HCCT_FILE_HEAP_SIZES];
    bool is_inner; /* its blocks do not count (given.c) */
};

/* heap_sample: the estimated variances of a context's values, by enum hcct_heap_value; of blocks in
 * 1/2^HCCT_HEAP_VARIANCE_BITS. */
struct hcct_heap_variances {
    unsigned __int128 of[HCCT_FILE_HEAP_ESTIMATES];
};

/* Makes the table. At most `limit` contexts beside context 0 are kept. With `period` the values are estimates
 * (sample.h). False if memory is short. */
bool hcct_heap_contexts_start(uint32_t limit, uint64_t period);
/* The number of contexts, context 0 included: they are 0 to count - 1. */
uint32_t hcct_heap_contexts_count(void);
struct hcct_heap_context *hcct_heap_context_at(uint32_t context);
/* Its word; 0: context 0. */
uint64_t hcct_heap_context_key(uint32_t context);
/* Whether there is no room for another one. */
bool hcct_heap_contexts_are_full(void);
/* 0: it is not kept. */
uint32_t hcct_heap_contexts_find(uint64_t key);
/* A new context. Takes over the reference to `node`. 0 if there is no room, or memory is short. */
uint32_t hcct_heap_contexts_add(uint64_t key, hcct_node node);
/* Keeps only the contexts for which stays[context] is true. The values of the others go to context 0. Gives
 * back their references. Afterwards to[c] is the new number of what was context c. */
void hcct_heap_contexts_keep(const bool *stays, uint32_t *to);
/* All values are zero again, and no context is kept. `release`: their nodes still exist. */
void hcct_heap_contexts_clear(bool release);

/* A block of so many bytes was allocated in the context, or ceased to be. */
void hcct_heap_context_gain(uint32_t context, uint64_t bytes);
void hcct_heap_context_lose(uint32_t context, uint64_t bytes);
/* A block that ceased to be is there again, or a part of it. */
void hcct_heap_context_keep(uint32_t context, uint64_t bytes);
/* The same of a sampled block. */
void hcct_heap_context_gain_sample(uint32_t context, uint64_t bytes, struct hcct_heap_weight weight);
void hcct_heap_context_lose_sample(uint32_t context, struct hcct_heap_weight weight);
/* The context's last block was temporary, or resized. */
void hcct_heap_context_count(uint32_t context, enum hcct_heap_value value, struct hcct_heap_weight weight);
/* What the file has of the context now. */
struct hcct_file_heap hcct_heap_context_values(uint32_t context);
/* The same of all contexts together. */
struct hcct_file_heap hcct_heap_contexts_total(void);
/* How sure the values of the context are. Begins with `start`; ends with `rest`, which has all contexts that
 * were not asked for meanwhile: `values` are theirs. */
void hcct_heap_contexts_start_trials(void);
struct hcct_file_heap_sampled hcct_heap_contexts_trials(uint64_t key);
struct hcct_file_heap_sampled hcct_heap_contexts_rest_trials(const struct hcct_file_heap *values);
/* The points of the heap's curve so far (curve.h), the last one is now; what a context had live at one. */
uint32_t hcct_heap_contexts_points(void);
uint64_t hcct_heap_context_at_point(uint32_t context, uint32_t point);
/* The same by key; 0 if the context is not kept. */
uint64_t hcct_heap_contexts_at_point(uint32_t point, uint64_t key);

#endif
