/* Fuzzes what takes two profiles: merging, comparing, differences, to a stream that goes nowhere. The input
 * is one profile, or two, one behind the other at a multiple of 8; one is compared with itself as another
 * build too. What merging writes must be a profile. Every byte of a profile is under a checksum: they are put
 * right first, in a copy. */
#include <stdlib.h>
#include <string.h>

#include "decoder/compare/diff.h"
#include "decoder/compare/print/diff_flat.h"
#include "decoder/compare/print/diff_html.h"
#include "decoder/compare/print/diff_json.h"
#include "decoder/compare/print/diff_text.h"
#include "decoder/store/open.h"
#include "decoder/store/pool.h"
#include "decoder/tree/by_names.h"
#include "format/error.h"
#include "lab/metrics/print.h"
#include "test/fuzz/checksums.h"

#define NODE_LIMIT 20000 /* what a small file means may be large */

static bool add_by_names(struct hcct_pool *pool, const struct hcct_profile *profile)
{
    struct hcct_by_names translation;
    struct hcct_error error;
    bool done = hcct_by_names_open(&translation, profile, NULL, &error);
    done = done && hcct_pool_add(pool, &translation.profile, &error);
    hcct_by_names_close(&translation);
    return done;
}

static bool add(struct hcct_pool *pool, const struct hcct_profile *profile, bool by_names)
{
    struct hcct_error error;
    return by_names ? add_by_names(pool, profile) : hcct_pool_add(pool, profile, &error);
}

static void merge(const struct hcct_profile *a, const struct hcct_profile *b, bool by_names)
{
    struct hcct_pool pool = { 0 };
    struct hcct_profile profile;
    struct hcct_error error;
    size_t length;
    unsigned char *bytes = NULL;
    if (add(&pool, a, by_names) && add(&pool, b, by_names) && add(&pool, a, by_names) &&
        !(bytes = hcct_pool_write(&pool, &length)))
        abort();
    hcct_pool_free(&pool);
    if (bytes && !hcct_profile_open(&profile, bytes, length, &error))
        abort();
    if (bytes)
        hcct_profile_close(&profile);
    free(bytes);
}

static void print_page(FILE *out, struct hcct_diff *diff, const struct hcct_profile *a,
                       const struct hcct_profile *b, const struct hcct_diff_options *options)
{
    const struct hcct_profile *const both[2] = { a, b };
    struct hcct_diff_values values;
    struct hcct_error error;
    bool is_heap = a->run->metric == HCCT_METRIC_HEAP && b->run->metric == HCCT_METRIC_HEAP;
    if (!is_heap || !hcct_diff_values_make(&values, both, diff, options, &error)) {
        hcct_diff_print_html(out, diff, NULL, options->names);
        return;
    }
    hcct_diff_print_html(out, diff, &values, options->names);
    hcct_diff_values_free(&values);
}

static void compare(FILE *out, const struct hcct_profile *a, const struct hcct_profile *b)
{
    static const struct hcct_metrics_options options = {
        .phi = -1, .tau = { 0, 0.1, 1 }, .tau_count = 3, .force = true, .node_limit = NODE_LIMIT
    };
    struct hcct_metrics metrics;
    struct hcct_error error;
    struct hcct_diff diff;
    const struct hcct_query query = { .fold = "a", .hide = "b" };
    const struct hcct_diff_options all = { .node_limit = NODE_LIMIT, .force = true },
                                   some = { .query = &query, .node_limit = NODE_LIMIT, .force = true };
    const struct hcct_diff_text_options text = { .name = { "a", "b" }, .top_count = 100 };
    if (hcct_metrics_find(a, b, &options, &metrics, &error)) {
        hcct_metrics_print_text(out, &metrics, &options, "a", "b");
        hcct_metrics_print_json(out, &metrics, &options);
        hcct_metrics_print_svg(out, &metrics, &options, "a", "b");
    }
    for (int i = 0; i < 2; i++) {
        if (!hcct_diff_build(&diff, a, b, i ? &some : &all, &error))
            return;
        hcct_diff_print_json(out, &diff, 0);
        print_page(out, &diff, a, b, i ? &some : &all);
        hcct_diff_print_text(out, &diff, &text);
        hcct_diff_print_flat(out, &diff, &text, i);
        hcct_diff_free(&diff);
    }
}

/* The profile in data, if it is one, in memory of its own. */
static unsigned char *open_copy(const unsigned char *data, size_t length, struct hcct_profile *profile)
{
    unsigned char *copy = malloc(length + 1);
    struct hcct_error error;
    if (!copy)
        return NULL;
    memcpy(copy, data, length);
    fix_checksums(copy, length);
    if (hcct_profile_open(profile, copy, length, &error))
        return copy;
    free(copy);
    return NULL;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t length);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t length)
{
    static FILE *nowhere;
    struct hcct_profile profiles[2];
    size_t first = 8;
    if (!nowhere && !(nowhere = fopen("/dev/null", "w")))
        abort();
    while (first + 8 <= length && memcmp(data + first, HCCT_FILE_MAGIC, 8))
        first += 8;
    if (first + 8 > length)
        first = length;
    const unsigned char *second = first < length ? data + first : data;
    unsigned char *copies[2] = { open_copy(data, first, &profiles[0]), NULL };
    if (copies[0])
        copies[1] = open_copy(second, first < length ? length - first : length, &profiles[1]);
    if (copies[1]) {
        struct hcct_file_run other = *profiles[1].run;
        merge(&profiles[0], &profiles[1], false);
        merge(&profiles[0], &profiles[1], true);
        compare(nowhere, &profiles[0], &profiles[1]);
        other.build_id = ~profiles[0].run->build_id;
        profiles[1].run = &other;
        compare(nowhere, &profiles[0], &profiles[1]);
        compare(nowhere, &profiles[1], &profiles[0]);
        hcct_profile_close(&profiles[1]);
    }
    if (copies[0])
        hcct_profile_close(&profiles[0]);
    free(copies[0]);
    free(copies[1]);
    return 0;
}
