/* The metrics of hcct-lab metrics on profiles made by hand, against values worked out by hand. With an
 * argument it writes the profiles into that folder instead, for test/compare. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "decoder/store/open.h"
#include "format/error.h"
#include "lab/metrics/metrics.h"
#include "profile_builder.h"

/* The contexts of one program, in the order of these names. */
enum {
    MAIN,
    A_FIRST,   /* main -> a */
    A_SECOND,  /* main -> a, from the next line */
    B_FIRST,   /* main -> a -> b */
    B_SECOND,  /* by the second call of a */
    HANDLER,   /* [signal 14] -> handler */
    COMPARE,   /* main -> [qsort] -> compare */
    C,         /* main -> (inlined) -> c */
    B_INLINED, /* main -> (inlined) -> c -> b */
    THREAD,    /* compare, as a thread's first function */
    COUNT
};

struct counts {
    uint64_t count[COUNT], error[COUNT];
};

static unsigned char *make(const struct counts *counts, uint64_t calls, double epsilon, size_t *length)
{
    struct builder b;
    builder_open(&b, "/bin/program");
    uint32_t main_ = builder_function(&b, "main", "main", "p.c", 1, 0);
    uint32_t a = builder_function(&b, "a", "a", "p.c", 10, 0);
    uint32_t f = builder_function(&b, "b", "b", "p.c", 20, 0);
    uint32_t handler = builder_function(&b, "handler", "handler", "p.c", 30, 0);
    uint32_t compare = builder_function(&b, "compare", "compare", "p.c", 40, HCCT_FUNCTION_LOCAL);
    uint32_t c = builder_function(&b, "c", "c", "p.c", 50, 0);
    uint32_t inlined = builder_inlined(&b, "inlined", "p.c", 60, "p.c", 4, BUILDER_NONE);
    uint32_t first = builder_site(&b, main_, a, "a", "p.c", 2, 1, BUILDER_NONE);
    uint32_t second = builder_site(&b, main_, a, "a", "p.c", 3, 1, BUILDER_NONE);
    uint32_t a_b = builder_site(&b, a, f, "b", "p.c", 11, 1, BUILDER_NONE);
    uint32_t sorts = builder_site(&b, main_, BUILDER_NONE, "qsort", "p.c", 5, 1, BUILDER_NONE);
    uint32_t main_c = builder_site(&b, main_, c, "c", "p.c", 61, 1, inlined);
    uint32_t c_b = builder_site(&b, c, BUILDER_NONE, "", "p.c", 51, 1, BUILDER_NONE);
    builder_number(&b);
    struct builder_context at[COUNT];
    at[MAIN] = builder_root(&b, main_);
    at[A_FIRST] = builder_call(&b, at[MAIN], first, a);
    at[A_SECOND] = builder_call(&b, at[MAIN], second, a);
    at[B_FIRST] = builder_call(&b, at[A_FIRST], a_b, f);
    at[B_SECOND] = builder_call(&b, at[A_SECOND], a_b, f);
    at[HANDLER] = builder_bracket(&b, HCCT_PREFIX_SIGNAL, 14, handler);
    at[COMPARE] = builder_call(&b, at[MAIN], sorts, compare);
    at[C] = builder_call(&b, at[MAIN], main_c, c);
    at[B_INLINED] = builder_call(&b, at[C], c_b, f);
    at[THREAD] = builder_root(&b, compare);
    for (int i = 0; i < COUNT; i++)
        if (counts->count[i])
            builder_count(&b, at[i], counts->count[i], counts->error[i]);
    b.run.phi = 0.1;
    b.counts.total = calls;
    if (epsilon > 0) {
        b.run.mode = HCCT_MODE_HCCT;
        b.run.algorithm = HCCT_ALGORITHM_SPACE_SAVING;
        b.counts.guarantee = HCCT_GUARANTEE_DETERMINISTIC;
        b.run.epsilon = epsilon;
        b.counts.floor = (uint64_t)(epsilon * (double)calls);
        b.run.capacity = (uint64_t)(1 / epsilon);
    }
    unsigned char *file = builder_write(&b, length);
    builder_close(&b);
    return file;
}

/* N = 451 */
static const struct counts full = { { [MAIN] = 1,
                                      [A_FIRST] = 10,
                                      [A_SECOND] = 40,
                                      [B_FIRST] = 100,
                                      [B_SECOND] = 50,
                                      [HANDLER] = 20,
                                      [COMPARE] = 200,
                                      [C] = 30 },
                                    { 0 } };
/* N = 400 */
static const struct counts partial = { { [B_FIRST] = 110, [COMPARE] = 210, [A_SECOND] = 60, [HANDLER] = 20 },
                                       { [B_FIRST] = 10, [COMPARE] = 10, [A_SECOND] = 20 } };
/* N = 420: `a` is hot in EXACT and only an ancestor here; `b` below the inlined frame does not occur in
 * EXACT. */
static const struct counts odd = { { [B_SECOND] = 70, [A_SECOND] = 10, [B_INLINED] = 290, [C] = 50 },
                                   { [B_SECOND] = 20, [B_INLINED] = 290, [C] = 20 } };
static const struct counts none = { { 0 }, { 0 } };
/* N = 50 */
static const struct counts roots = { { [MAIN] = 10, [THREAD] = 40 }, { 0 } };

static struct hcct_metrics compare(const struct counts *exact, uint64_t exact_calls, const struct counts *hot,
                                   uint64_t hot_calls, double phi)
{
    size_t exact_length, hot_length;
    unsigned char *exact_file = make(exact, exact_calls, 0, &exact_length);
    unsigned char *hot_file = make(hot, hot_calls, 0.05, &hot_length);
    struct hcct_metrics_options options = { .phi = phi, .tau = { 0.1, 0.25, 1 }, .tau_count = 3 };
    struct hcct_profile profiles[2];
    struct hcct_metrics result = { 0 };
    struct hcct_error error;
    CHECK(hcct_profile_open(&profiles[0], exact_file, exact_length, &error));
    CHECK(hcct_profile_open(&profiles[1], hot_file, hot_length, &error));
    CHECK(hcct_metrics_find(&profiles[0], &profiles[1], &options, &result, &error));
    hcct_profile_close(&profiles[0]);
    hcct_profile_close(&profiles[1]);
    free(exact_file);
    free(hot_file);
    return result;
}

#define NEAR(value, wanted) CHECK(fabs((value) - (wanted)) < 1e-12 * fabs(wanted))

/* H = {B_FIRST, B_SECOND, COMPARE} (at least 45.1), A = {B_FIRST, COMPARE, A_SECOND} (at least 40), T = A,
 * A_FIRST. MAIN is a root. */
static void test_partial(void)
{
    struct hcct_metrics result = compare(&full, 451, &partial, 400, -1);
    CHECK(result.calls_exact == 451 && result.calls_hot == 400 && result.phi == 0.1);
    NEAR(result.degree_of_overlap, (100 + 200 + 40 + 10) / 450.0);
    NEAR(result.hot_edge_coverage[0], 3 / 6.0); /* at least 20: all but A_FIRST */
    NEAR(result.hot_edge_coverage[1], 2 / 3.0); /* at least 50: H */
    NEAR(result.hot_edge_coverage[2], 1.0);     /* 200 */
    NEAR(result.max_uncovered_hotness, 25.0);   /* B_SECOND: 50 of 200 */
    NEAR(result.avg_uncovered_hotness, (50 + 20 + 30) / 3.0 / 200 * 100);
    CHECK(result.hot == 3 && result.false_positives == 1 && result.false_negatives == 1 && result.cold == 1);
    NEAR(result.max_counter_error, 10.0);
    NEAR(result.avg_counter_error, 7.5);
    NEAR(result.max_tree_counter_error, 50.0); /* A_SECOND: 60 for 40 */
    NEAR(result.avg_tree_counter_error, (10 + 5 + 50) / 3.0);
    CHECK(result.exact_is_exact);
}

/* phi 0.08: H = {A_SECOND, B_FIRST, B_SECOND, COMPARE} (at least 36.08), A = {B_SECOND, B_INLINED, C} (at
 * least 33.6), T = A, A_SECOND: a hot context that HOT has no hot count for is a false negative, not a
 * cold node of the tree. */
static void test_odd(void)
{
    struct hcct_metrics result = compare(&full, 451, &odd, 420, 0.08);
    NEAR(result.degree_of_overlap, (50 + 30 + 40) / 450.0);
    NEAR(result.hot_edge_coverage[0], 3 / 6.0);
    NEAR(result.hot_edge_coverage[1], 1 / 3.0);
    CHECK(result.hot_edge_coverage[2] == 0);
    NEAR(result.max_uncovered_hotness, 100.0);
    NEAR(result.avg_uncovered_hotness, (10 + 100 + 20 + 200) / 4.0 / 200 * 100);
    CHECK(result.hot == 4 && result.false_positives == 2 && result.false_negatives == 3 && result.cold == 0);
    NEAR(result.max_counter_error, 40.0);
    NEAR(result.avg_counter_error, 40.0);
    NEAR(result.max_tree_counter_error, 75.0); /* A_SECOND: 10 for 40; B_INLINED has no true count */
    NEAR(result.avg_tree_counter_error, (40 + 200 / 3.0 + 75) / 3);
}

static void test_same(void)
{
    struct hcct_metrics result = compare(&full, 451, &full, 451, 0);
    CHECK(result.degree_of_overlap == 1 && result.hot_edge_coverage[0] == 1 &&
          result.hot_edge_coverage[2] == 1);
    CHECK(result.max_uncovered_hotness == 0 && result.avg_uncovered_hotness == 0);
    CHECK(result.hot == 7 && !result.false_positives && !result.false_negatives && !result.cold);
    CHECK(result.max_counter_error == 0 && result.avg_counter_error == 0);
    CHECK(result.max_tree_counter_error == 0 && result.avg_tree_counter_error == 0);
}

static void test_nothing(void)
{
    struct hcct_metrics result = compare(&none, 0, &none, 0, -1);
    CHECK(isnan(result.degree_of_overlap) && isnan(result.hot_edge_coverage[0]));
    CHECK(isnan(result.max_uncovered_hotness) && isnan(result.avg_uncovered_hotness));
    CHECK(isnan(result.max_counter_error) && isnan(result.avg_counter_error));
    CHECK(isnan(result.max_tree_counter_error) && isnan(result.avg_tree_counter_error));
    CHECK(!result.hot && !result.false_positives && !result.false_negatives && !result.cold);
    result = compare(&full, 451, &none, 0, -1); /* HOT counted nothing */
    CHECK(result.degree_of_overlap == 0 && result.hot_edge_coverage[2] == 0);
    NEAR(result.max_uncovered_hotness, 100.0);
    NEAR(result.avg_uncovered_hotness, 450 / 7.0 / 200 * 100);
    CHECK(result.hot == 3 && result.false_negatives == 3 && isnan(result.max_counter_error));
    result = compare(&none, 0, &partial, 400, -1); /* EXACT counted nothing */
    CHECK(isnan(result.degree_of_overlap) && isnan(result.hot_edge_coverage[2]));
    CHECK(isnan(result.max_uncovered_hotness) && result.hot == 0 && result.false_positives == 3 &&
          result.cold == 1);
    result = compare(&full, 451, &partial, 400, 1); /* nothing is hot */
    CHECK(result.degree_of_overlap == 0 && result.hot == 0 && result.cold == 0 &&
          isnan(result.avg_counter_error));
}

/* Without roots no call is left. */
static void test_roots(void)
{
    struct hcct_metrics result = compare(&roots, 50, &roots, 50, -1);
    CHECK(result.calls_exact == 50 && isnan(result.degree_of_overlap) && isnan(result.hot_edge_coverage[0]));
    CHECK(isnan(result.max_uncovered_hotness) && isnan(result.avg_uncovered_hotness));
    CHECK(!result.hot && !result.false_positives && !result.false_negatives && !result.cold);
    CHECK(isnan(result.max_counter_error) && isnan(result.max_tree_counter_error));
    result = compare(&full, 451, &roots, 50, -1); /* nothing of EXACT is covered */
    CHECK(result.degree_of_overlap == 0 && result.hot == 3 && result.false_negatives == 3);
    CHECK(!result.false_positives && !result.cold && isnan(result.max_counter_error));
}

static int write_file(const char *folder, const char *name, const struct counts *counts, uint64_t calls,
                      double epsilon)
{
    char path[4096];
    size_t length;
    unsigned char *file = make(counts, calls, epsilon, &length);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "wb");
    int failed = !out || fwrite(file, 1, length, out) != length;
    free(file);
    return (out && fclose(out)) || failed;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return write_file(argv[1], "full.bin", &full, 451, 0) |
               write_file(argv[1], "partial.bin", &partial, 400, 0.05) |
               write_file(argv[1], "odd.bin", &odd, 420, 0.05) |
               write_file(argv[1], "none.bin", &none, 0, 0) | write_file(argv[1], "roots.bin", &roots, 50, 0);
    test_partial();
    test_odd();
    test_same();
    test_nothing();
    test_roots();
    CHECK_DONE();
}
