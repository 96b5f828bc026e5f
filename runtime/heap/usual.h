/* metric=heap: what most blocks take when they begin and end, in line.
 *
 * This looks first whether all is as usual, then changes the tables. If it is not, nothing is changed, and
 * the functions of heap.h do the same, and more. Usual is: nobody else has the table lock; the context was
 * met before; the block's bucket, or the next one, has a place for it; no point of the curve is due.
 * No function is called meanwhile, so the program's stack needs no probe (core/busy.h).
 * Cost: docs/heap.md. */
#ifndef HCCT_RUNTIME_HEAP_USUAL_H
#define HCCT_RUNTIME_HEAP_USUAL_H

#include "runtime/heap/section.h"
#include "runtime/heap/site.h"
#include "runtime/heap/tables/blocks.h"
#include "runtime/heap/tables/contexts.h"

/* The calling thread's last block. */
struct hcct_heap_newest {
    /* Its address, if the thread has allocated none since, negated: so it is no pointer to the block
     * (scan.h). 0: none. */
    uintptr_t block;
    uint64_t position; /* hcct_heap_sample_position at that time: an allocation since has changed it */
};
extern __attribute__((visibility("hidden"))) _Thread_local struct hcct_heap_newest hcct_heap_newest;

/* Begins the block in the context with that key, and leaves. `is_second_try`: the context may also have been
 * met long ago, and may have to note what it had at points of the curve. That is much code, and seldom. */
static inline __attribute__((always_inline)) bool hcct_heap_begin_usual(enum hcct_heap_way way,
                                                                        bool is_second_try, uint64_t key,
                                                                        uintptr_t address, uint64_t bytes)
{
    const uint64_t hash = hcct_heap_blocks_hash(address);
    uint32_t number;
    const bool is_found = hcct_heap_recent_find(key, is_second_try, &number);
    struct hcct_heap_context *context = &hcct_heap_contexts.of[number];
    HCCT_HEAP_JUST(context);
    if (__builtin_expect(!is_found || !hcct_heap_contexts_may_gain(bytes) ||
                             !hcct_heap_context_begin_change(context, is_second_try) ||
                             !hcct_heap_blocks_put_usual(hcct_heap_table_of(hash), hash, address,
                                                         (struct hcct_heap_block){ bytes, number }),
                         0)) {
        hcct_heap_section_leave_way(way);
        return false;
    }
    hcct_heap_context_gain_usual(context, bytes);
    hcct_heap_newest.block = -address;
    hcct_heap_section_leave_way(way);
    return true;
}

/* Ends the block, and leaves. */
static inline __attribute__((always_inline)) bool hcct_heap_end_usual(enum hcct_heap_way way,
                                                                      bool is_second_try, uintptr_t address)
{
    const uint64_t hash = hcct_heap_blocks_hash(address);
    struct hcct_heap_table *table = hcct_heap_table_of(hash);
    struct hcct_heap_place place;
    if (__builtin_expect(!hcct_heap_blocks_find_usual(table, hash, address, &place), 0)) {
        hcct_heap_section_leave_way(way);
        return false;
    }
    const struct hcct_heap_block block = hcct_heap_block_at(place);
    struct hcct_heap_context *context = &hcct_heap_contexts.of[block.context];
    if (__builtin_expect(!hcct_heap_contexts_may_lose(block.bytes) ||
                             !hcct_heap_context_begin_change(context, is_second_try),
                         0)) {
        hcct_heap_section_leave_way(way);
        return false;
    }
    hcct_heap_blocks_empty(table, place);
    hcct_heap_context_lose_usual(context, block.bytes);
    if (__builtin_expect(hcct_heap_newest.block == -address, 0)) {
        hcct_heap_newest.block = 0;
        context->temporary++;
    }
    hcct_heap_section_leave_way(way);
    return true;
}

/* The functions below: as hcct_heap_allocated and hcct_heap_freed, of an address for which this is true.
 * False if it is not usual. In both cases the caller has to look for signals that wait
 * (hcct_heap_section_redeliver). */
static inline __attribute__((always_inline)) bool hcct_heap_may_be_usual(uintptr_t address)
{
    return __builtin_expect(address - 1 < (UINT64_C(1) << 48) - 1, 1);
}

static inline __attribute__((always_inline)) bool
hcct_heap_allocated_usually(enum hcct_heap_way way, bool is_second_try, uintptr_t address, uint64_t bytes)
{
    const uint64_t key = hcct_heap_newest_key();
    return __builtin_expect(hcct_heap_section_enter_way(way), 1) &&
           hcct_heap_begin_usual(way, is_second_try, key, address, bytes);
}

static inline __attribute__((always_inline)) bool
hcct_heap_freed_usually(enum hcct_heap_way way, bool is_second_try, uintptr_t address)
{
    return __builtin_expect(hcct_heap_section_enter_way(way), 1) &&
           hcct_heap_end_usual(way, is_second_try, address);
}

#endif
