/* Weights and draws of heap_sample against the mathematics library; the filter against an array. */
#include "runtime/heap/tables/sample.h"

#include <math.h>
#include <stdlib.h>

#include "runtime/heap/settings.h"
#include "test/unit/check.h"
#include "test/unit/draw.h"

/* What sample.c needs of the runtime. */

uint64_t hcct_random_below(uint64_t limit)
{
    return (draw() >> 32) * limit >> 32;
}

static bool is_near(double a, double b, double share)
{
    return fabs(a - b) <= share * fabs(b);
}

static void test_weights(void)
{
    static const uint64_t periods[] = { 1024, 524288, 1000000, UINT64_C(1) << 30 };
    for (unsigned i = 0; i < 4; i++)
        for (double size = 1; size < 1e12; size = size * 1.37 + 1) {
            uint64_t bytes = (uint64_t)size;
            double p = -expm1(-(double)bytes / (double)periods[i]);
            struct hcct_heap_weight down = hcct_heap_sample_weigh(bytes, periods[i], false),
                                    up = hcct_heap_sample_weigh(bytes, periods[i], true);
            double variance = (1 - p) / p / p, sum = (double)bytes / p, unit = 1 << HCCT_HEAP_VARIANCE_BITS;
            CHECK(is_near((double)down.bytes, sum, 1e-6) || fabs((double)down.bytes - sum) <= 0.5);
            CHECK((double)down.blocks <= 1 / p * (1 + 1e-6) &&
                  (double)down.blocks > (1 / p - 1) * (1 - 1e-6));
            CHECK(up.blocks == down.blocks + (p < 1) && up.bytes == down.bytes);
            /* rounding adds at most 1/4; a whole number of bytes is up to 1/2 away */
            double found = (double)down.blocks_variance / unit;
            CHECK(found >= variance * (1 - 1e-5) - 1e-3 && found <= variance * (1 + 1e-5) + 0.26);
            CHECK(fabs((double)down.bytes_variance - sum * (sum - (double)bytes)) <= 1e-5 * sum * sum + sum);
        }
    struct hcct_heap_weight empty = hcct_heap_sample_weigh(0, 1024, false);
    CHECK(empty.bytes == 0 && empty.blocks == 1024);
}

/* The mean of what 1/p is rounded to. */
static void test_rounding(void)
{
    enum { TIMES = 400000 };
    for (uint64_t bytes = 300; bytes < 5000; bytes += 517) {
        double p = -expm1(-(double)bytes / 1024), sum = 0;
        for (int i = 0; i < TIMES; i++)
            sum += (double)hcct_heap_sample_weigh(bytes, 1024, hcct_heap_sample_round(bytes, 1024)).blocks;
        CHECK(fabs(sum / TIMES - 1 / p) < 5 * 0.5 / sqrt(TIMES));
    }
}

static void test_draws(void)
{
    const double limit = 4611686018427387904.0; /* 2^62 */
    for (int i = 0; i < 100000; i++) {
        uint64_t random = draw() >> (2 + i % 62);
        double wanted = -log(((double)random + 1) / limit) * 524288;
        double found = (double)hcct_heap_sample_draw(random, 524288);
        CHECK(found >= 1 && fabs(found - wanted) <= 1 + 1e-8 * wanted + 524288 * 1e-9);
    }
    CHECK(hcct_heap_sample_draw((UINT64_C(1) << 62) - 1, 524288) == 1);
}

/* Blocks of several sizes, each estimate within six standard deviations. At times the thread holds, which
 * changes nothing but that no block passes. */
static void test_sampling(void)
{
    enum { SIZES = 7, BLOCKS = 2000000 };
    static const uint64_t sizes[SIZES] = { 0, 1, 16, 100, 1000, 5000, 100000 };
    double blocks[SIZES] = { 0 }, bytes[SIZES] = { 0 }, variance[SIZES] = { 0 };
    uint64_t made[SIZES] = { 0 };
    hcct_heap_settings.sample = 4096;
    for (int i = 0; i < BLOCKS; i++) {
        unsigned which = (unsigned)(draw() >> 32) % SIZES;
        const uint64_t position = hcct_heap_sample_position();
        bool holds = i / 64 % 4 == 1, passes = hcct_heap_sample_passes(sizes[which]);
        made[which]++;
        CHECK(!passes || !holds);
        bool is_sampled = !passes && hcct_heap_sample_take(sizes[which]);
        CHECK(is_sampled || !i || hcct_heap_sample_position() == position - sizes[which] - !sizes[which]);
        if (i % 64 == 63)
            hcct_heap_sample_hold((i + 1) / 64 % 4 == 1);
        if (!is_sampled)
            continue;
        struct hcct_heap_weight weight =
            hcct_heap_sample_weigh(sizes[which], 4096, hcct_heap_sample_round(sizes[which], 4096));
        blocks[which] += (double)weight.blocks;
        bytes[which] += (double)weight.bytes;
        variance[which] += (double)weight.blocks_variance / (1 << HCCT_HEAP_VARIANCE_BITS);
    }
    for (int i = 0; i < SIZES; i++) {
        double n = (double)made[i], s = (double)sizes[i], p = -expm1(-fmax(s, 1) / 4096);
        double rounded = 1 / p - floor(1 / p);
        CHECK(fabs(blocks[i] - n) <= 6 * sqrt(n * ((1 - p) / p + 0.25)) + 1);
        CHECK(fabs(bytes[i] - n * s) <= 6 * s * sqrt(n * (1 - p) / p) + n * 0.5);
        CHECK(p > 0.999 || is_near(variance[i], n * ((1 - p) / p + p * rounded * (1 - rounded)), 0.5));
    }
    hcct_heap_settings.sample = 0;
}

static void test_filter(void)
{
    enum { ADDRESSES = 3000, STEPS = 300000 };
    static unsigned char has[ADDRESSES];
    unsigned wrong = 0, asked = 0;
    hcct_heap_filter_clear();
    CHECK(hcct_heap_filter_may_have(16)); /* without samples */
    hcct_heap_settings.sample = 4096;
    hcct_heap_filter_clear();
    for (int i = 0; i < STEPS; i++) {
        unsigned at = (unsigned)(draw() >> 32) % ADDRESSES;
        uintptr_t address = (uintptr_t)0x7f0000000000 + 48 * at;
        CHECK(!has[at] || hcct_heap_filter_may_have(address));
        asked += !has[at];
        wrong += !has[at] && hcct_heap_filter_may_have(address);
        if (has[at])
            hcct_heap_filter_remove(address);
        else
            hcct_heap_filter_add(address);
        has[at] = !has[at];
    }
    CHECK(wrong < asked / 10);
    hcct_heap_filter_clear();
    CHECK(!hcct_heap_filter_may_have((uintptr_t)0x7f0000000000));
}

int main(void)
{
    test_weights();
    test_rounding();
    test_draws();
    test_sampling();
    test_filter();
    return check_done();
}
