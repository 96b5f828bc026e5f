/* The cost of an update of the stream summary (runtime/stream/space_saving.h) on streams of several kinds. */
#include "runtime/stream/space_saving.h"

#include <stdlib.h>

#include "runtime/stream/space_saving_check.h"
#include "test/unit/check.h"
#include "test/unit/draw.h"
#include "test/unit/summaries.h"
#include "test/unit/work.h"

enum { COSTS_CAPACITY = 50000, COSTS_UPDATES = 1000000 };

static const char *const cost_names[] = {
    "all new, weight 1",      "all new, random weights to 1e6", "all new, growing weights",
    "round robin over k + 1", "round robin, growing weights",   "uniform over 2 k, weights to 1000",
    "Zipf 1 of 1e6",          "Zipf 1 of 45,000: hits",
};

static uint64_t cost_key(unsigned kind, uint64_t at)
{
    switch (kind) {
    case 0:
    case 1:
    case 2:
        return at + 1;
    case 3:
    case 4:
        return at % (COSTS_CAPACITY + 1) + 1;
    case 5:
        return draw_below(2 * COSTS_CAPACITY) + 1;
    case 6:
        return draw_zipf(1000000);
    default:
        return draw_zipf(45000);
    }
}

static uint64_t cost_weight(unsigned kind, uint64_t at)
{
    switch (kind) {
    case 1:
        return 1 + draw_below(1000000);
    case 2:
    case 4:
        return at + 1;
    case 5:
        return 1 + draw_below(1000);
    default:
        return 1;
    }
}

/* In basic blocks, so the same on every machine. A scan of the counters for each eviction would be 50,000. */
static void test_costs(void)
{
    struct hcct_summary *summary = new_summary(COSTS_CAPACITY);
    uint64_t *stream = malloc(2 * COSTS_UPDATES * sizeof(*stream));
    hcct_node ignored;

    printf("%zu bytes for %d counters\n", hcct_space_saving_bytes(COSTS_CAPACITY), COSTS_CAPACITY);
    random_state = 1;
    for (unsigned kind = 0; kind < sizeof(cost_names) / sizeof(*cost_names); kind++) {
        for (size_t at = 0; at < COSTS_UPDATES; at++) {
            stream[2 * at] = cost_key(kind, at) * UINT64_C(0x9E3779B97F4A7C15);
            stream[2 * at + 1] = cost_weight(kind, at);
        }
        uint64_t before = work_blocks;
        for (size_t at = 0; at < COSTS_UPDATES; at++)
            hcct_space_saving_add(summary, stream[2 * at], stream[2 * at + 1], 0, &ignored, &ignored);
        double blocks = (double)(work_blocks - before) / COSTS_UPDATES;
        printf("%-36s %6.1f blocks an update\n", cost_names[kind], blocks);
        CHECK(blocks < 500);
        CHECK(hcct_space_saving_check(summary));
        hcct_space_saving_clear(summary);
    }
    free(stream);
    free(summary);
}

int main(void)
{
    test_costs();
    CHECK_DONE();
}
