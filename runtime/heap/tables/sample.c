/* See sample.h. All numbers are integers; ONE stands for 1. */
#include "runtime/heap/tables/sample.h"

#include <string.h>

#include "format/divide.h"
#include "runtime/base/random.h"
#include "runtime/heap/settings.h"

struct hcct_heap_settings hcct_heap_settings;

#define ONE (UINT64_C(1) << 63)
enum { HALVINGS = 12, TERMS = 9, LOG_BITS = 32, RANDOM_BITS = 62 };

_Thread_local struct hcct_heap_sampling hcct_heap_sampling;

/* --- which blocks -------------------------------------------------------------------------------- */

static uint64_t times(uint64_t a, uint64_t b)
{
    return (uint64_t)((unsigned __int128)a * b >> 63);
}

/* -log2(random / 2^62), with LOG_BITS bits behind the point: bit by bit, by squaring. */
static uint64_t minus_log2(uint64_t random)
{
    unsigned zeros = (unsigned)__builtin_clzll(random);
    uint64_t fraction = 0, mantissa = random << zeros; /* from 1 to 2 */
    for (unsigned i = 0; i < LOG_BITS; i++) {
        unsigned __int128 square = (unsigned __int128)mantissa * mantissa;
        bool is_large = square >> 127;
        mantissa = (uint64_t)(square >> (is_large ? 64 : 63));
        fraction = fraction << 1 | is_large;
    }
    return ((uint64_t)(zeros - (64 - RANDOM_BITS) + 1) << LOG_BITS) - fraction;
}

uint64_t hcct_heap_sample_draw(uint64_t random, uint64_t period)
{
    const uint64_t ln2 = UINT64_C(2977044472); /* with LOG_BITS bits */
    unsigned __int128 log = (unsigned __int128)minus_log2(random + 1) * ln2;
    return (uint64_t)(log * period >> (2 * LOG_BITS)) + 1;
}

static uint64_t draw(void)
{
    const uint64_t half = UINT64_C(1) << (RANDOM_BITS / 2);
    uint64_t random = hcct_random_below(half) * half + hcct_random_below(half);
    return hcct_heap_sample_draw(random, hcct_heap_settings.sample);
}

uint64_t hcct_heap_sample_position(void)
{
    return hcct_heap_sampling.left + hcct_heap_sampling.held;
}

static void set_left(uint64_t left)
{
    hcct_heap_sampling.held = hcct_heap_sampling.is_holding ? left : 0;
    hcct_heap_sampling.left = hcct_heap_sampling.is_holding ? 0 : left;
}

bool hcct_heap_sample_take(uint64_t bytes)
{
    uint64_t left = hcct_heap_sampling.has_drawn ? hcct_heap_sample_position() : draw() - 1,
             size = bytes + !bytes;
    bool is_sampled = size > left;
    hcct_heap_sampling.has_drawn = true;
    set_left(is_sampled ? draw() - 1 : left - size);
    return is_sampled;
}

void hcct_heap_sample_after_fork(void)
{
    hcct_heap_sampling.has_drawn = false;
    set_left(0);
}

void hcct_heap_sample_hold(bool holds)
{
    uint64_t left = hcct_heap_sample_position();
    hcct_heap_sampling.is_holding = holds;
    set_left(left);
}

/* --- weights ------------------------------------------------------------------------------------- */

/* 1 - exp(-bytes / period); 0: it is 1. By the series for a small part of the exponent, which is then
 * doubled: 1 - (1 - p)^2 = 2p - p^2 loses no precision where p is small. */
static uint64_t probability(uint64_t bytes, uint64_t period)
{
    enum { CERTAIN = 44 }; /* exp(-44) is below 1 / ONE */
    bytes += !bytes;
    if (bytes / period >= CERTAIN)
        return 0;
    uint64_t part = (uint64_t)hcct_quotient((unsigned __int128)bytes << (63 - HALVINGS), period), sum = ONE;
    for (unsigned term = TERMS; term > 1; term--)
        sum = ONE - times(part, sum) / term;
    uint64_t p = times(part, sum);
    for (unsigned i = 0; i < HALVINGS; i++)
        p = 2 * p - times(p, p);
    return p;
}

/* 1/p, with 32 bits behind the point. */
static uint64_t inverse(uint64_t p)
{
    return (uint64_t)hcct_quotient((unsigned __int128)1 << 95, p);
}

struct hcct_heap_weight hcct_heap_sample_weigh(uint64_t bytes, uint64_t period, bool up)
{
    uint64_t p = probability(bytes, period);
    if (!p)
        return (struct hcct_heap_weight){ bytes, 1, 0, 0 };
    const unsigned __int128 one = (unsigned __int128)1 << 32;
    uint64_t all = (uint64_t)hcct_quotient(((unsigned __int128)bytes << 63) + p / 2, p);
    unsigned __int128 blocks = inverse(p), fraction = blocks & (one - 1);
    /* of a choice with p: (1 - p) / p^2; of rounding: f (1 - f) */
    unsigned __int128 variance = blocks * (blocks - one) + fraction * (one - fraction);
    return (struct hcct_heap_weight){ .bytes = all,
                                      .blocks = (uint64_t)(blocks >> 32) + up,
                                      .bytes_variance = (unsigned __int128)all * (all - bytes),
                                      .blocks_variance = variance >> (64 - HCCT_HEAP_VARIANCE_BITS) };
}

bool hcct_heap_sample_round(uint64_t bytes, uint64_t period)
{
    uint64_t p = probability(bytes, period);
    return p && hcct_random_below(UINT32_MAX) < (uint32_t)inverse(p);
}

/* --- the filter ---------------------------------------------------------------------------------- */

/* At the largest number the count is not known any more, and stays. */
uint8_t hcct_heap_filter[1 << HCCT_HEAP_FILTER_LOG2];

static void change(uintptr_t address, int by)
{
    uint8_t *count = &hcct_heap_filter[hcct_heap_filter_place(address)];
    if (*count < UINT8_MAX)
        __atomic_store_n(count, (uint8_t)(*count + by), __ATOMIC_RELAXED);
}

void hcct_heap_filter_add(uintptr_t address)
{
    change(address, 1);
}

void hcct_heap_filter_remove(uintptr_t address)
{
    change(address, -1);
}

void hcct_heap_filter_clear(void)
{
    memset(hcct_heap_filter, hcct_heap_settings.sample ? 0 : UINT8_MAX, sizeof hcct_heap_filter);
}
