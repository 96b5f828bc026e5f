/* Stream summaries (runtime/stream/space_saving.h) that share a stream, and are merged now and then: the one
 * that all are merged into keeps every bound that one summary would have kept alone, and every node is in one
 * place or was given back. */
#include "runtime/stream/exact.h"
#include "runtime/stream/space_saving.h"

#include <stdlib.h>

#include "runtime/stream/space_saving_check.h"
#include "test/unit/check.h"
#include "test/unit/draw.h"
#include "test/unit/summaries.h"

enum { MOST_KEYS = 300, MOST_SUMMARIES = 4, MOST_NODES = 40000 };

static uint64_t weights[MOST_KEYS + 1], total;
static uint8_t nodes_out[MOST_NODES]; /* 1: a summary has it */
static hcct_node node_count;

static hcct_node new_node(void)
{
    CHECK(node_count + 1 < MOST_NODES);
    nodes_out[++node_count] = 1;
    return node_count;
}

static void take_back(hcct_node node)
{
    CHECK(node < MOST_NODES && (!node || nodes_out[node]));
    nodes_out[node] = 0;
}

/* `number` gets the weight, in that summary. */
static void add(struct hcct_summary *summary, uint64_t number, uint64_t weight)
{
    hcct_node evicted, unused;
    uint64_t counted = weight < UINT64_MAX - total ? weight : UINT64_MAX - total;
    weights[number] += counted;
    total += counted;
    hcct_space_saving_add(summary, key_of(number, 3), weight, draw_below(3) ? 0 : new_node(), &evicted,
                          &unused);
    take_back(evicted);
    take_back(unused);
}

static void check(const struct hcct_summary *summary)
{
    bool seen[MOST_KEYS + 1] = { false };
    uint32_t nodes = 0, out = 0;
    CHECK(hcct_space_saving_check(summary) && hcct_space_saving_total(summary) == total);
    for (uint32_t place = 0; place < hcct_space_saving_size(summary); place++) {
        struct hcct_entry entry = hcct_space_saving_entry(summary, place);
        nodes += entry.node != 0;
        CHECK(!entry.node || nodes_out[entry.node]);
        for (uint64_t number = 1; number <= MOST_KEYS; number++)
            if (entry.key == key_of(number, 3)) {
                CHECK(!seen[number] && entry.count - entry.error <= weights[number] &&
                      weights[number] <= entry.count);
                seen[number] = true;
            }
    }
    for (uint64_t number = 1; number <= MOST_KEYS; number++)
        CHECK(seen[number] || weights[number] <= hcct_space_saving_floor(summary));
    for (hcct_node node = 1; node <= node_count; node++)
        out += nodes_out[node];
    CHECK(nodes == out);
}

static uint64_t draw_weight(unsigned kind)
{
    if (kind == 0)
        return 1;
    return kind == 1   ? 1 + draw_below(100)
           : kind == 2 ? 1 + (draw() >> 14 >> draw_below(50))
                       : UINT64_C(1) << 33;
}

static void run(uint32_t capacity, uint64_t keys, unsigned kind)
{
    struct hcct_summary *summaries[MOST_SUMMARIES];
    unsigned count = 2 + (unsigned)draw_below(MOST_SUMMARIES - 1);
    memset(weights, 0, sizeof weights);
    memset(nodes_out, 0, sizeof nodes_out);
    total = node_count = 0;
    for (unsigned i = 0; i < count; i++)
        summaries[i] = new_summary(i ? capacity : 3 * capacity);
    for (uint64_t number = 1; !hcct_space_saving_is_full(summaries[0]); number++)
        add(summaries[0], number, 1 + draw_below(4));
    hcct_space_saving_shrink(summaries[0], capacity, take_back);
    for (unsigned round = 0; round < 6; round++) {
        uint64_t updates = draw_below(2) ? draw_below(400) : draw_below(2000);
        for (uint64_t at = 0; at < updates; at++)
            add(summaries[draw_below(count)], draw_zipf(keys), draw_weight(kind));
        for (unsigned i = 1; i < count; i++) {
            hcct_space_saving_merge(summaries[0], summaries[i], take_back);
            CHECK(hcct_space_saving_check(summaries[i]) && !hcct_space_saving_size(summaries[i]) &&
                  !hcct_space_saving_total(summaries[i]));
        }
        check(summaries[0]);
    }
    for (unsigned i = 0; i < count; i++)
        free(summaries[i]);
}

int main(void)
{
    for (unsigned seed = 0; seed < 600; seed++) {
        random_state = seed;
        run(1 + (uint32_t)draw_below(60), 1 + draw_below(MOST_KEYS), seed % 4);
    }
    CHECK_DONE();
}
