/* Several runs as one, see run.h. */
#include "decoder/store/run.h"

#include <string.h>

#include "decoder/store/estimate.h"
#include "decoder/store/sum.h"
#include "format/error.h"

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static uint16_t weaker(uint16_t a, uint16_t b)
{
    return a > b ? a : b;
}

/* Exact profiles leave that of the others, two others are SEVERAL. */
static uint16_t algorithm_of(uint16_t a, uint16_t b)
{
    return a == b || b == HCCT_ALGORITHM_EXACT ? a : a == HCCT_ALGORITHM_EXACT ? b : HCCT_ALGORITHM_SEVERAL;
}

void hcct_run_add(struct hcct_file_run *sum, const struct hcct_file_run *run)
{
    uint32_t delta = (uint32_t)sum->delta + run->delta;
    sum->scheme = weaker(sum->scheme, run->scheme);
    sum->mode = run->mode == HCCT_MODE_HCCT ? run->mode : sum->mode;
    sum->algorithm = algorithm_of(sum->algorithm, run->algorithm);
    sum->recursion = weaker(sum->recursion, run->recursion);
    sum->phi = larger(sum->phi, run->phi);
    sum->epsilon = larger(sum->epsilon, run->epsilon);
    sum->delta = delta < HCCT_DELTA_ONE ? (uint16_t)delta : HCCT_DELTA_ONE; /* a union bound */
    sum->profiles = run->profiles < UINT32_MAX - sum->profiles ? sum->profiles + run->profiles : UINT32_MAX;
    if (!sum->start || (run->start && run->start < sum->start))
        sum->start = run->start;
    if (run->end > sum->end)
        sum->end = run->end;
    /* Memory does not add up: runs may have followed each other, and forked processes share pages. The
     * largest tells what a process has to have. */
    sum->memory_bytes = run->memory_bytes > sum->memory_bytes ? run->memory_bytes : sum->memory_bytes;
}

bool hcct_run_check_metric(const struct hcct_profile *first, const struct hcct_profile *other,
                           struct hcct_error *error)
{
    const struct hcct_file_column *a = hcct_profile_main(first), *b = hcct_profile_main(other);
    bool is_same = first->run->metric == other->run->metric &&
                   !strcmp(hcct_profile_string(first, a->name), hcct_profile_string(other, b->name)) &&
                   !strcmp(hcct_profile_string(first, a->unit), hcct_profile_string(other, b->unit));
    return is_same || hcct_error_set(error, HCCT_ERROR_MISMATCH, HCCT_ERROR_NOWHERE,
                                     "counts another metric or unit than the first file");
}

bool hcct_run_check_sum(const struct hcct_profile *first, const struct hcct_profile *other,
                        struct hcct_error *error)
{
    const char *own = hcct_estimate_counted(other->estimate),
               *firsts = hcct_estimate_counted(first->estimate);
    return hcct_run_check_metric(first, other, error) &&
           (!strcmp(own, firsts) || hcct_error_set(error, HCCT_ERROR_MISMATCH, HCCT_ERROR_NOWHERE,
                                                   "counts %s, and the first file %s", own, firsts));
}

bool hcct_run_refuse_build(const char *hint, struct hcct_error *error)
{
    return hcct_error_set(error, HCCT_ERROR_MISMATCH, HCCT_ERROR_NOWHERE,
                          "of another program or build than the first file (%s)", hint);
}
