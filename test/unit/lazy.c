/* The cost of the lazy priority queue (lab/stream/space_saving_lazy.c): with weights of 1 it is O(1)
 * amortised, whatever the stream does (theorem 4.1 of D'Elia et al., SPE 2015). */
#include "lab/stream/algorithm.h"

#include <stdio.h>

#include "test/unit/check.h"
#include "test/unit/work.h"

void hcct_prefix_release(hcct_node node)
{
    (void)node;
}

enum { UPDATES = 200000 };

static uint64_t random_state = 1;

static uint64_t draw(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + 1;
    return random_state >> 33;
}

static uint64_t key_at(unsigned kind, uint64_t at, uint64_t capacity)
{
    switch (kind) {
    case 0:
        return at + 1; /* all new */
    case 1:
        return at % (capacity + 1) + 1; /* always the one that was just let go */
    case 2:                             /* hits spread the counts, each of another size; then all new */
        return at < UPDATES / 2 ? draw() % (draw() % capacity + 1) + 1 : at;
    case 3: /* the counters behind the cursor are hit, so that it passes them in vain */
        return at % 2 ? capacity - at / 2 % capacity + 1 : at + capacity;
    case 4: /* a hit on what just came in, before the next newcomer */
        return at / 2 + 1;
    default:
        return draw() % (2 * capacity) + 1;
    }
}

/* Basic blocks of one stream. */
static uint64_t work_of(unsigned kind, uint32_t capacity)
{
    const struct hcct_algorithm *lazy = &hcct_space_saving_lazy;
    hcct_node ignored;
    struct hcct_summary *summary = lazy->open(&(struct hcct_demand){ .capacity = capacity });
    uint64_t before = work_blocks;
    for (uint64_t at = 0; at < UPDATES; at++)
        lazy->add(summary, key_at(kind, at, capacity) * UINT64_C(0x9E3779B97F4A7C15), 1, 0, &ignored,
                  &ignored);
    uint64_t work = work_blocks - before;
    CHECK(lazy->check(summary) && lazy->total(summary) == UPDATES);
    lazy->close(summary);
    return work;
}

/* Theorem 4.1: at most 2 |M| steps for each value of the minimum, so 2 steps an update. A step is 3 blocks at
 * most; the rest of an update is some 20, key_at included. A full scan for each eviction would be more than
 * `capacity` blocks. */
int main(void)
{
    for (unsigned kind = 0; kind < 6; kind++)
        for (uint32_t capacity = 10; capacity <= 10000; capacity *= 10) {
            double blocks = (double)work_of(kind, capacity) / UPDATES;
            printf("stream %u, capacity %5u: %5.1f blocks an update\n", kind, capacity, blocks);
            CHECK(blocks < 40);
        }
    CHECK_DONE();
}
