/* What the heap meter knows of each context that allocates.
 *
 * Peak. The heap is at its peak when the bytes of all live blocks are at their maximum; the first such moment
 * counts. Only a block that ends can end a peak. So a maximum is looked for when a block ends, and when
 * somebody asks. A block of no bytes is no part of a peak that was there before it.
 * What each context had at the peak is not copied at that moment. A context notes it later, when it is about
 * to change for the first time since: until then its live blocks are what they were. So a change costs the
 * same whether the heap grows or not, and the result is exact.
 *
 * Moments. The run is divided by its marks: peaks, and points of the curve. A moment is the time between two
 * marks.
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
#include "runtime/base/key_hash.h"
#include "runtime/base/node.h"
#include "runtime/heap/tables/blocks.h"
#include "runtime/heap/tables/curve.h"
#include "runtime/heap/tables/sample.h"

struct hcct_heap_context {
    /* The sum over all blocks of clock_bytes at the block's end minus clock_bytes at its birth. For a live
     * block only the second part is in it, so the sum is modulo 2^128 */
    _Alignas(16) unsigned __int128 life;
    uint64_t changed; /* the moment of its last change */
    uint64_t live_bytes, live_blocks;
    uint64_t peak_bytes, peak_blocks;
    uint64_t allocated_bytes;        /* ever */
    uint64_t sizes[HCCT_HEAP_SIZES]; /* all blocks ever, by size class (layout.h) */
    uint64_t temporary, resized;
    uint64_t told_bytes;              /* the part of allocated_bytes that the core's tables have */
    uint64_t lost_bytes, lost_blocks; /* of the last scan (scan.h) */
    hcct_node node;
    bool is_inner; /* its blocks do not count (given.c) */
};

/* The number of values that estimates have variances of: those up to HCCT_HEAP_RESIZED. */
enum { HCCT_HEAP_ESTIMATES = HCCT_HEAP_RESIZED + 1 };

/* heap_sample: the estimated variances of a context's values, by enum hcct_heap_value; of blocks in
 * 1/2^HCCT_HEAP_VARIANCE_BITS. */
struct hcct_heap_variances {
    unsigned __int128 of[HCCT_HEAP_ESTIMATES]; /* by enum hcct_heap_value */
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
/* A context that is kept was found, and its blocks count. */
void hcct_heap_contexts_remember(uint32_t context);
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
uint64_t hcct_heap_context_value(uint32_t context, enum hcct_heap_value value);
/* How sure that is (struct hcct_file_cell); values up to HCCT_HEAP_RESIZED. */
uint32_t hcct_heap_context_trials(uint32_t context, enum hcct_heap_value value);
/* Of all contexts together: a value; the mean life of a block; how many blocks had that size (layout.h). */
uint64_t hcct_heap_contexts_total(enum hcct_heap_value value);
uint64_t hcct_heap_contexts_life(void);
uint64_t hcct_heap_contexts_size(uint32_t size);
/* The points of the heap's curve so far (curve.h), the last one is now; what a context had live at one. */
uint32_t hcct_heap_contexts_points(void);
uint64_t hcct_heap_context_at_point(uint32_t context, uint32_t point);

/* The class of blocks of `last` + 1 bytes: those of at most 16 bytes, 64, 256 and so on. */
static inline __attribute__((always_inline)) size_t hcct_heap_size_class(uint64_t last)
{
    unsigned log2 = 63 ^ (unsigned)__builtin_clzll(last | 8);
    __asm__(""
            : "+r"(log2)); /* it is one instruction of x86-64; what follows, joined with it, would be six */
    return (size_t)log2 / 2 - 1;
}

/* --- the usual change, in line ---------------------------------------------------------------------- */

/* What all contexts together are. */
struct hcct_heap_contexts {
    _Alignas(64) struct hcct_heap_context *of;
    uint64_t clock_bytes; /* allocated so far: the time that lives are measured in */
    uint64_t live_bytes, maximum_bytes;
    uint64_t moment, peak_moment;
};
extern __attribute__((visibility("hidden"))) struct hcct_heap_contexts hcct_heap_contexts;

/* All contexts but context 0. */
struct hcct_heap_index {
    _Alignas(64) uint32_t *numbers; /* contexts by key; 0: empty */
    uint64_t *keys;                 /* by context */
    uint32_t room;                  /* of numbers: a power of two */
};
extern __attribute__((visibility("hidden"))) struct hcct_heap_index hcct_heap_index;

/* The key's place in `numbers`, which has `room`: its own one, or the empty one where it belongs. */
static inline uint32_t *hcct_heap_index_place(uint32_t *numbers, uint32_t room, uint64_t key)
{
    uint32_t at = (uint32_t)(hcct_key_product(key) >> 32) & (room - 1);
    while (numbers[at] && hcct_heap_index.keys[numbers[at]] != key)
        at = (at + 1) & (room - 1);
    return &numbers[at];
}

/* Contexts that were found not long ago, by key. One whose blocks do not count is not among them. */
enum { HCCT_HEAP_RECENT = 16384 };
extern __attribute__((visibility("hidden"))) struct hcct_heap_recent {
    uint64_t key;
    uint32_t number;
} *hcct_heap_recent;
extern __attribute__((visibility("hidden"))) bool hcct_heap_any_recent;

/* A key's place. Keys are hashes, the lowest bytes are those of the best bits (hcct_mix). The four lowest
 * bits are left out: so a mask of the key is the place's offset, in one instruction. */
static inline struct hcct_heap_recent *hcct_heap_recent_place(uint64_t key)
{
    return &hcct_heap_recent[key / sizeof(struct hcct_heap_recent) % HCCT_HEAP_RECENT];
}

static inline void hcct_heap_recent_put(uint64_t key, uint32_t number)
{
    hcct_heap_any_recent = true;
    *hcct_heap_recent_place(key) = (struct hcct_heap_recent){ key, number };
}

/* Finds a context whose blocks count. `all`: not only one that was found not long ago. */
static inline __attribute__((always_inline)) bool hcct_heap_recent_find(uint64_t key, bool all,
                                                                        uint32_t *number)
{
    const struct hcct_heap_recent *recent = hcct_heap_recent_place(key);
    *number = recent->number;
    if (__builtin_expect(recent->key == key, 1))
        return true;
    *number = all ? *hcct_heap_index_place(hcct_heap_index.numbers, hcct_heap_index.room, key) : 0;
    if (!*number || hcct_heap_contexts.of[*number].is_inner)
        return false;
    hcct_heap_recent_put(key, *number);
    return true;
}

/* Call this before live blocks end. */
static inline __attribute__((always_inline)) void hcct_heap_contexts_mark_peak(void)
{
    struct hcct_heap_contexts *all = &hcct_heap_contexts;
    if (all->live_bytes <= all->maximum_bytes)
        return;
    all->maximum_bytes = all->live_bytes;
    all->peak_moment = all->moment++;
}

static inline __attribute__((always_inline)) struct hcct_heap_curve_context
hcct_heap_context_of_curve(const struct hcct_heap_context *it)
{
    return (struct hcct_heap_curve_context){ (uint32_t)(it - hcct_heap_contexts.of), it->changed,
                                             it->live_bytes };
}

/* Whether it has not changed since the newest detailed point of the curve. */
static inline __attribute__((always_inline)) bool hcct_heap_context_is_old(const struct hcct_heap_context *it)
{
    return __builtin_expect(it->changed <= hcct_heap_curve_details.newest, 0);
}

/* The context is about to change for the first time in this moment. */
static inline __attribute__((always_inline)) void hcct_heap_context_enter_moment(struct hcct_heap_context *it,
                                                                                 bool may_be_old)
{
    if (may_be_old && hcct_heap_context_is_old(it))
        hcct_heap_curve_note_before(hcct_heap_context_of_curve(it));
    if (it->changed <= hcct_heap_contexts.peak_moment) {
        it->peak_bytes = it->live_bytes;
        __asm__ volatile("" : : : "memory"); /* one register for both; else one has to be saved */
        it->peak_blocks = it->live_blocks;
    }
    it->changed = hcct_heap_contexts.moment;
}

/* Call this before the context's live blocks change. Returns false, and does nothing, if the context is old
 * (hcct_heap_context_is_old) and `may_be_old` is false. */
static inline __attribute__((always_inline)) bool hcct_heap_context_begin_change(struct hcct_heap_context *it,
                                                                                 bool may_be_old)
{
    if (__builtin_expect(it->changed == hcct_heap_contexts.moment, 1))
        return true;
    if (!may_be_old && hcct_heap_context_is_old(it))
        return false;
    hcct_heap_context_enter_moment(it, may_be_old);
    return true;
}

/* Whether a block of so many bytes may begin by the function below. */
static inline __attribute__((always_inline)) bool hcct_heap_contexts_may_gain(uint64_t bytes)
{
    return bytes - 1 < hcct_heap_curve_free;
}

/* As hcct_heap_context_gain, after hcct_heap_context_begin_change. */
static inline __attribute__((always_inline)) void hcct_heap_context_gain_usual(struct hcct_heap_context *it,
                                                                               uint64_t bytes)
{
    struct hcct_heap_contexts *all = &hcct_heap_contexts;
    uint64_t clock_bytes = all->clock_bytes += bytes;
    hcct_heap_curve_free -= bytes;
    all->live_bytes += bytes;
    it->allocated_bytes += bytes;
    it->live_bytes += bytes;
    it->live_blocks++;
    it->life -= clock_bytes;
    HCCT_HEAP_JUST(bytes);
    it->sizes[hcct_heap_size_class(bytes - 1)]++;
}

/* Whether a block of so many bytes may end by the function below. */
static inline __attribute__((always_inline)) bool hcct_heap_contexts_may_lose(uint64_t bytes)
{
    if (__builtin_expect(hcct_heap_curve_rises(hcct_heap_contexts.live_bytes), 0))
        hcct_heap_contexts_mark_peak();
    return bytes <= hcct_heap_curve_free;
}

/* As hcct_heap_context_lose, after hcct_heap_context_begin_change. */
static inline __attribute__((always_inline)) void hcct_heap_context_lose_usual(struct hcct_heap_context *it,
                                                                               uint64_t bytes)
{
    struct hcct_heap_contexts *all = &hcct_heap_contexts;
    hcct_heap_curve_free -= bytes;
    all->live_bytes -= bytes;
    it->live_bytes -= bytes;
    it->live_blocks--;
    it->life += all->clock_bytes;
}

#endif
