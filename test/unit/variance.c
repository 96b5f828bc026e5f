/* The trials of contexts (runtime/meter/sampled/variance.h) against the definition, in floating point: bursts
 * of random sizes, in several threads whose bursts overlap, and contexts that are steady, that come in
 * phases, that come once, and more contexts than there is room for. */
#include "runtime/meter/sampled/variance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test/unit/check.h"
#include "test/unit/draw.h"

enum { THREADS = 3, CONTEXTS = 40, BURSTS = 600 };

static uint64_t key_of(unsigned context)
{
    return (context + 1) * UINT64_C(0x9E3779B97F4A7C15);
}

/* The calls of a context in a burst of `size`. */
static uint64_t calls_of(unsigned context, unsigned burst, uint64_t size)
{
    if (context < 5)
        return size / 20; /* steady */
    if (context < 15)
        return burst % 30 == context ? size / 3 : draw_below(size / 1000 + 1); /* now and then */
    if (context < 20)
        return burst == 7 * context ? size / 50 : 0; /* once */
    return draw_below(size / CONTEXTS / 2 + 1);
}

/* struct hcct_block has megabytes, and only its address matters. */
static const struct hcct_block *thread_of(unsigned number)
{
    static char threads[THREADS];
    return (const struct hcct_block *)(void *)&threads[number];
}

static double sum[CONTEXTS], squares[CONTEXTS], products[CONTEXTS], total, total_squares;
static unsigned __int128 exact_squares;
static uint64_t exact_total;

/* `unit`: what a call weighs. */
static void play(uint64_t unit)
{
    static struct hcct_variance_list lists[THREADS];
    static uint64_t now[THREADS][CONTEXTS], sizes[THREADS];
    for (unsigned burst = 0; burst < BURSTS; burst++) {
        unsigned thread = burst % THREADS;          /* its burst began two ends of others' ago */
        for (unsigned part = 0; part < 3; part++) { /* and was counted in parts between them */
            unsigned other = (thread + part) % THREADS;
            uint64_t size = (1000 + draw_below(50000)) * unit;
            for (unsigned context = 0; context < CONTEXTS; context++) {
                uint64_t calls = calls_of(context, burst, size);
                if (!calls)
                    continue;
                hcct_variance_add(thread_of(other), &lists[other], key_of(context), calls);
                now[other][context] += calls;
                sizes[other] += calls;
            }
        }
        double y = (double)sizes[thread];
        hcct_variance_end_burst(&lists[thread], sizes[thread]);
        CHECK(lists[thread].first == 0);
        total += y;
        total_squares += y * y;
        exact_total += sizes[thread];
        exact_squares += (unsigned __int128)sizes[thread] * sizes[thread];
        for (unsigned context = 0; context < CONTEXTS; context++) {
            double x = (double)now[thread][context];
            sum[context] += x;
            squares[context] += x * x;
            products[context] += x * y;
            now[thread][context] = 0;
        }
        sizes[thread] = 0;
    }
    for (unsigned thread = 0; thread < THREADS; thread++) { /* the bursts under way are left out */
        hcct_variance_end_burst(&lists[thread], 0);
        memset(now[thread], 0, sizeof now[thread]);
        sizes[thread] = 0;
    }
}

static void check_trials(void)
{
    for (unsigned context = 0; context < CONTEXTS; context++) {
        double p = sum[context] / total;
        double variance =
            (squares[context] - 2 * p * products[context] + p * p * total_squares) / (total * total);
        double wanted = p > 0 ? p * (1 - p) / variance * (BURSTS - 1) / BURSTS : 0;
        double found = hcct_variance_trials(key_of(context), 0, exact_total, exact_squares, BURSTS);
        wanted = wanted < (double)exact_total ? wanted : (double)exact_total;
        CHECK(wanted > UINT32_MAX || fabs(found - wanted) <= 2 + 1e-4 * wanted) /* rounded down twice */;
    }
}

static void forget(void)
{
    hcct_variance_reset();
    for (unsigned context = 0; context < CONTEXTS; context++)
        sum[context] = squares[context] = products[context] = 0;
    total = total_squares = 0;
    exact_squares = exact_total = 0;
}

/* One context, always the same share: as sure as its calls are many. */
static void test_steady(void)
{
    struct hcct_variance_list list = { 0 };
    for (unsigned burst = 0; burst < 100; burst++) {
        hcct_variance_add(thread_of(0), &list, 5, 250);
        hcct_variance_end_burst(&list, 1000);
    }
    CHECK(hcct_variance_trials(5, 0, 100000, (unsigned __int128)1000 * 1000 * 100, 100) >= 90000);
    /* all of a burst, or none: each burst is one trial */
    for (unsigned burst = 0; burst < 100; burst++) {
        if (burst % 2)
            hcct_variance_add(thread_of(0), &list, 6, 1000);
        hcct_variance_end_burst(&list, 1000);
    }
    CHECK(hcct_variance_trials(6, 0, 100000, (unsigned __int128)1000 * 1000 * 100, 100) == 99);
    CHECK(hcct_variance_trials(7, 0, 100000, (unsigned __int128)1000 * 1000 * 100, 100) == 0);
    hcct_variance_reset();
    CHECK(hcct_variance_trials(5, 0, 100000, (unsigned __int128)1000 * 1000 * 100, 100) == 0);
}

/* A context for which there is no room in one thread has no trials, and others keep theirs. */
static void test_full(void)
{
    struct hcct_variance_list lists[2] = { { 0 }, { 0 } };
    enum { MANY = 60000 };
    uint32_t known = 0;
    hcct_variance_add(thread_of(0), &lists[0], key_of(0), 10);
    for (unsigned context = 1; context < MANY; context++)
        hcct_variance_add(thread_of(1), &lists[1], key_of(context), 1);
    for (unsigned context = 0; context < MANY; context++) /* again: found, or not, as before */
        hcct_variance_add(thread_of(1), &lists[1], key_of(context), 1);
    hcct_variance_end_burst(&lists[0], 10);
    hcct_variance_end_burst(&lists[1], 2 * MANY);
    unsigned __int128 all = (unsigned __int128)(2 * MANY) * (2 * MANY) + 100;
    for (unsigned context = 1; context < MANY; context++)
        known += hcct_variance_trials(key_of(context), 0, 2 * MANY + 10, all, 2) != 0;
    CHECK(known > 8000 && known < 1 << 15);
    CHECK(hcct_variance_trials(key_of(0), 0, 2 * MANY + 10, all, 2) == 0);
    hcct_variance_reset();
}

int main(void)
{
    for (uint64_t unit = 1; unit <= UINT64_C(1) << 20; unit <<= 10) {
        play(unit);
        check_trials();
        forget();
    }
    test_steady();
    test_full();
    CHECK_DONE();
}
