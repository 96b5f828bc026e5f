/* heap_sample=512K: some blocks stand for all. Each byte that the program allocates is chosen with a
 * probability of 1 in `heap_sample`, and a block with a chosen byte is sampled, as jemalloc and tcmalloc do.
 * So a block of s bytes is sampled with p = 1 - exp(-s / period), and stands for 1/p blocks and s/p bytes.
 *
 * Each thread counts down the bytes to the next chosen one. That number is drawn from an exponential
 * distribution, which has no memory: it is drawn anew behind each sampled block.
 * Threads: the filter changes under the table lock. */
#ifndef HCCT_RUNTIME_HEAP_SAMPLE_H
#define HCCT_RUNTIME_HEAP_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/machine.h"

/* Where the calling thread is between two chosen bytes. */
struct hcct_heap_sampling {
    /* How many bytes it may allocate before the next one. 0 while it holds, or before its first number was
     * drawn; always 0 in a run without samples. */
    uint64_t left;
    uint64_t held; /* while it holds: what `left` lacks */
    bool is_holding, has_drawn;
};
extern __attribute__((visibility("hidden"))) _Thread_local struct hcct_heap_sampling hcct_heap_sampling;

/* Whether the block certainly has no chosen byte: then this has counted it. Cost: 6 instructions. It may be
 * one that the allocator then fails to make: which byte is chosen next does not depend on those before. The
 * number is loaded once, so that it never becomes less than 0, in spite of signal handlers. */
static inline __attribute__((always_inline)) bool hcct_heap_sample_passes(uint64_t bytes)
{
    const uint64_t left = hcct_heap_sampling.left;
    if (__builtin_expect(bytes - 1 >= left, 0))
        return false;
    hcct_heap_sampling.left = left - bytes;
    return true;
}

/* Counts a block of so many bytes, for which hcct_heap_sample_passes was false, and returns whether it is
 * sampled. It is not if its thread had not drawn its first number yet, and that is larger than the block. A
 * block of 0 bytes never passes, and counts as 1 byte. For a run with samples. */
bool hcct_heap_sample_take(uint64_t bytes);
/* In a forked child: the calling thread draws anew. */
void hcct_heap_sample_after_fork(void);
/* From now on none of the thread's blocks passes; or not any more. */
void hcct_heap_sample_hold(bool holds);
/* In a run with samples: a number that changes with each block that the calling thread allocates. In others:
 * 0. */
uint64_t hcct_heap_sample_position(void);

/* What a sampled block stands for, and what it adds to the estimated variance of sums. */
struct hcct_heap_weight {
    uint64_t bytes, blocks;
    unsigned __int128 bytes_variance;
    unsigned __int128 blocks_variance; /* in 1/2^HCCT_HEAP_VARIANCE_BITS */
};
enum { HCCT_HEAP_VARIANCE_BITS = 16 };
/* 1/p is rounded down or up to a whole number of blocks, by chance, so that the mean is right. *up: which. */
struct hcct_heap_weight hcct_heap_sample_weigh(uint64_t bytes, uint64_t period, bool up);
bool hcct_heap_sample_round(uint64_t bytes, uint64_t period);
/* A number from the exponential distribution with this mean, rounded up; `random` is below 2^62. */
uint64_t hcct_heap_sample_draw(uint64_t random, uint64_t period);

/* How many sampled blocks have an address with each hash. By this most ends of other blocks are told from
 * theirs. */
enum { HCCT_HEAP_FILTER_LOG2 = 15 };
extern __attribute__((visibility("hidden"))) uint8_t hcct_heap_filter[1 << HCCT_HEAP_FILTER_LOG2];

/* As hcct_heap_blocks_hash (blocks.h), of the low half of the address. */
static inline uint32_t hcct_heap_filter_place(uintptr_t address)
{
    return (uint32_t)address * (UINT32_C(0x9e3779b1) >> 4) >> (32 - HCCT_HEAP_FILTER_LOG2);
}

/* Whether the block may be one of those that are known; always true in a run without samples. Cost: 5
 * instructions, and a cache line of 512. The load pairs with the stores of the functions below: a block's own
 * was made before its address was handed out. */
static inline __attribute__((always_inline)) bool hcct_heap_filter_may_have(uintptr_t address)
{
    return !hcct_machine_is_equal_byte(0, &hcct_heap_filter[hcct_heap_filter_place(address)]);
}

void hcct_heap_filter_add(uintptr_t address);
void hcct_heap_filter_remove(uintptr_t address);
/* Nothing is known; or in a run without samples, everything may be. */
void hcct_heap_filter_clear(void);

#endif
