/* What the tests of the stream summary share: summaries, and the keys of their streams. */
#ifndef HCCT_TEST_SUMMARIES_H
#define HCCT_TEST_SUMMARIES_H

#include <stdlib.h>
#include <string.h>

#include "runtime/stream/space_saving.h"
#include "test/unit/check.h"

/* Shape 0: the numbers; 1 and 2: the same in the upper bits; others: spread over 64 bits. */
static inline uint64_t key_of(uint64_t number, unsigned shape)
{
    switch (shape) {
    case 0:
        return number;
    case 1:
        return number << 32;
    case 2:
        return number << 52;
    default:
        return number * UINT64_C(0x9E3779B97F4A7C15);
    }
}

static inline struct hcct_summary *new_summary(uint32_t capacity)
{
    size_t bytes = hcct_space_saving_bytes(capacity);
    void *memory = aligned_alloc(64, bytes);

    CHECK(bytes % 64 == 0);
    memset(memory, 0, bytes);
    return hcct_space_saving_init(memory, capacity);
}

#endif
