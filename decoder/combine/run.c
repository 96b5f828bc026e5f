/* Several runs as one, see run.h. */
#include "decoder/combine/run.h"

#include <string.h>

#include "decoder/combine/tally.h"
#include "decoder/profile/bursts.h"
#include "decoder/profile/sum.h"
#include "format/error.h"

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static uint16_t weaker(uint16_t a, uint16_t b)
{
    return a > b ? a : b;
}

void hcct_run_add(struct hcct_file_run *sum, const struct hcct_file_run *run)
{
    uint32_t delta = (uint32_t)sum->delta + run->delta;
    sum->scheme = weaker(sum->scheme, run->scheme);
    sum->mode = run->mode == HCCT_MODE_HCCT ? run->mode : sum->mode;
    sum->algorithm = (uint16_t)hcct_tally_algorithm(sum->algorithm, run->algorithm);
    sum->guarantee = weaker(sum->guarantee, run->guarantee);
    sum->recursion = weaker(sum->recursion, run->recursion);
    sum->phi = larger(sum->phi, run->phi);
    sum->epsilon = larger(sum->epsilon, run->epsilon);
    sum->delta = delta < HCCT_DELTA_ONE ? (uint16_t)delta : HCCT_DELTA_ONE; /* a union bound */
    sum->calls = hcct_sum(sum->calls, run->calls);
    sum->floor = hcct_sum(sum->floor, run->floor);
    /* Memory does not add up: runs may have followed each other, and forked processes share pages. The
     * largest tells what a process has to have. */
    sum->memory_bytes = run->memory_bytes > sum->memory_bytes ? run->memory_bytes : sum->memory_bytes;
    sum->dropped_memory = hcct_sum(sum->dropped_memory, run->dropped_memory);
    sum->dropped_chain = hcct_sum(sum->dropped_chain, run->dropped_chain);
    sum->dropped_interrupted = hcct_sum(sum->dropped_interrupted, run->dropped_interrupted);
    sum->stale = hcct_sum(sum->stale, run->stale);
    sum->overflowed = hcct_sum(sum->overflowed, run->overflowed);
}

void hcct_run_add_times(struct hcct_file_times *sum, const struct hcct_file_times *times)
{
    if (!times)
        return;
    if (!sum->start || times->start < sum->start)
        sum->start = times->start;
    if (times->end > sum->end)
        sum->end = times->end;
}

bool hcct_run_check_metric(const struct hcct_profile *first, const struct hcct_profile *other,
                           struct hcct_error *error)
{
    const char *units[] = { hcct_profile_string(first, first->run->unit),
                            hcct_profile_string(other, other->run->unit) };
    return (first->run->metric == other->run->metric && !strcmp(units[0], units[1])) ||
           hcct_error_set(error, HCCT_ERROR_MISMATCH, HCCT_ERROR_NOWHERE,
                          "counts another metric or unit than the first file");
}

bool hcct_run_check_sum(const struct hcct_profile *first, const struct hcct_profile *other,
                        struct hcct_error *error)
{
    const char *own = hcct_bursts_counted(other->bursts), *firsts = hcct_bursts_counted(first->bursts);
    return hcct_run_check_metric(first, other, error) &&
           (!strcmp(own, firsts) || hcct_error_set(error, HCCT_ERROR_MISMATCH, HCCT_ERROR_NOWHERE,
                                                   "counts %s, and the first file %s", own, firsts));
}

bool hcct_run_refuse_build(const char *hint, struct hcct_error *error)
{
    return hcct_error_set(error, HCCT_ERROR_MISMATCH, HCCT_ERROR_NOWHERE,
                          "of another program or build than the first file (%s)", hint);
}
