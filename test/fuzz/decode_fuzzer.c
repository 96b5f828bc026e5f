/* Fuzzes the decoder: reading, the tree, and every format, to a stream that goes nowhere; and the reader of
 * guides. Every byte of a profile is under a checksum, which would end each run at once: the checksums of the
 * input are put right first, in a copy. */
#include <stdlib.h>
#include <string.h>

#include "decoder/report/formats/formats.h"
#include "decoder/store/open.h"
#include "decoder/tree/builds.h"
#include "encoding/guide.h"
#include "format/error.h"
#include "test/fuzz/checksums.h"

#define NODE_LIMIT 20000

static void print_all(const struct hcct_profile *profile, const struct hcct_choice *choice)
{
    static FILE *nowhere;
    struct hcct_error error;
    if (!nowhere && !(nowhere = fopen("/dev/null", "w")))
        abort();
    for (const struct hcct_report_format *const *format = hcct_formats; *format; format++)
        for (int by = HCCT_BY_SITE; by <= HCCT_BY_FUNCTION; by++) {
            if (!(*format)->print)
                continue; /* built without it */
            struct hcct_report_options options = HCCT_REPORT_DEFAULTS;
            struct hcct_decoded merge;
            options.format = *format;
            options.by = (enum hcct_frames_by)by;
            options.by_given = by != HCCT_BY_PLACE;
            options.all = by % 2;
            options.inlines = by != HCCT_BY_LINE;
            options.max_depth = by == HCCT_BY_FUNCTION ? 2 : 8;
            options.top_count = by == HCCT_BY_LINE ? 5 : 0;
            options.width = by == HCCT_BY_PLACE ? 50 : 0;
            options.query.fold = by == HCCT_BY_PLACE ? HCCT_QUERY_FOLD_DEFAULT : NULL;
            options.query.hide = by == HCCT_BY_FUNCTION ? "a" : NULL;
            if (!hcct_decoded_open(&merge, profile, choice, NODE_LIMIT, &error))
                return;
            hcct_report_print(nowhere, &merge, &options, &error);
            hcct_decoded_close(&merge);
        }
}

static void print_sum(const struct hcct_profile *profile)
{
    struct hcct_builds builds = { .force = true, .folds = true };
    struct hcct_profile sum;
    struct hcct_error error;
    const struct hcct_choice all = { 0 };
    bool done = hcct_builds_add(&builds, profile, &error) && hcct_builds_add(&builds, profile, &error) &&
                hcct_builds_sum(&builds, &sum, true, &error);
    if (done) {
        print_all(&sum, &all);
        hcct_profile_close(&sum);
    }
    hcct_builds_free(&builds);
}

/* Memory of just the sizes that are asked for. */
static void read_guide(const unsigned char *bytes, size_t length)
{
    struct hcct_guide guide;
    size_t site_bytes, scratch_bytes;
    if (!hcct_guide_measure(bytes, length, &site_bytes, &scratch_bytes))
        return;
    void *sites = malloc(site_bytes), *scratch = malloc(scratch_bytes);
    if (sites && scratch && hcct_guide_read(&guide, bytes, length, sites, scratch))
        for (uint32_t i = 0; i < guide.site_count; i++)
            if (hcct_guide_find(&guide, guide.sites[i].id) != &guide.sites[i])
                abort();
    free(sites);
    free(scratch);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t length);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t length)
{
    unsigned char *copy = malloc(length + 1);
    struct hcct_profile profile;
    struct hcct_error error;
    if (!copy)
        return 0;
    memcpy(copy, data, length);
    fix_checksums(copy, length);
    read_guide(copy, length);
    if (hcct_profile_open(&profile, copy, length, &error)) {
        const struct hcct_choice all = { 0 }, some = { .value = HCCT_HEAP_LIVE, .is_one_value = true };
        print_all(&profile, &all);
        print_all(&profile, &some);
        print_sum(&profile);
        hcct_profile_close(&profile);
    }
    free(copy);
    return 0;
}
