#include "decoder/store/estimate.h"

#include <math.h>

#include "decoder/store/sum.h"
#include "format/error.h"

bool hcct_estimate_are_calls(const struct hcct_file_estimate *estimate)
{
    return estimate->kind != HCCT_ESTIMATE_BURSTS && estimate->kind != HCCT_ESTIMATE_BUDGET &&
           estimate->kind != HCCT_ESTIMATE_SEVERAL;
}

const char *hcct_estimate_name(const struct hcct_file_estimate *estimate)
{
    return hcct_estimate_are_calls(estimate) ? "samples" : "bursts";
}

const char *hcct_estimate_counted(const struct hcct_file_estimate *estimate)
{
    return estimate && estimate->kind == HCCT_ESTIMATE_TIMER ? "ticks (sample=timer)" : "calls";
}

void hcct_estimate_add(struct hcct_file_estimate *to, const struct hcct_file_estimate *from, bool is_first)
{
    if (is_first) {
        *to = *from;
        return;
    }
    if (to->interval_ns != from->interval_ns || to->length_ns != from->length_ns)
        to->interval_ns = to->length_ns = 0;
    if (to->kind != from->kind || to->period != from->period) {
        to->kind = to->kind == from->kind ? from->kind : HCCT_ESTIMATE_SEVERAL;
        to->period = 0;
    }
    to->slack = hcct_sum(to->slack, from->slack);
    to->units = hcct_sum(to->units, from->units);
    to->samples = hcct_sum(to->samples, from->samples);
    to->skipped = hcct_sum(to->skipped, from->skipped);
    to->untimed = hcct_sum(to->untimed, from->untimed);
    to->calls = hcct_sum(to->calls, from->calls);
    to->sum += from->sum;
    to->squares += from->squares;
    to->is_adaptive |= from->is_adaptive;
}

void hcct_estimate_add_counted(struct hcct_file_estimate *to, uint64_t calls)
{
    if (!calls)
        return;
    to->kind = HCCT_ESTIMATE_SEVERAL;
    to->interval_ns = to->length_ns = to->period = 0;
    to->calls = hcct_sum(to->calls, calls);
}

double hcct_estimate_effective(const struct hcct_file_estimate *estimate)
{
    double count = (double)estimate->samples; /* at the most; and where a file says what cannot be */
    if (estimate->period)
        return fmin(estimate->sum / (double)estimate->period, count);
    return estimate->squares > 0 ? fmin(estimate->sum * estimate->sum / estimate->squares, count) : 0;
}

/* Wilson's, for a share that was found to be `share` in `trials`. */
static struct hcct_interval wilson(double share, double trials)
{
    if (trials <= 0)
        return (struct hcct_interval){ 0, 1 };
    double middle = share + HCCT_ESTIMATE_Z * HCCT_ESTIMATE_Z / (2 * trials),
           scale = 1 + HCCT_ESTIMATE_Z * HCCT_ESTIMATE_Z / trials;
    double half = HCCT_ESTIMATE_Z * sqrt(share * (1 - share) / trials +
                                         HCCT_ESTIMATE_Z * HCCT_ESTIMATE_Z / (4 * trials * trials));
    return (struct hcct_interval){ fmax(0, (middle - half) / scale), fmin(1, (middle + half) / scale) };
}

double hcct_estimate_trials(const struct hcct_file_estimate *estimate, double trials)
{
    return fmax(hcct_estimate_effective(estimate), trials);
}

/* The calls that were counted outside of bursts; at most so many, if files that differ were added up. */
static double whole(const struct hcct_file_estimate *estimate)
{
    return estimate->kind == HCCT_ESTIMATE_SEVERAL  ? (double)estimate->calls
           : estimate->kind == HCCT_ESTIMATE_BUDGET ? (double)estimate->whole
                                                    : 0;
}

/* Nobody knows how many calls the estimate from bursts lacks. So of `share`, which is right if it lacks none,
 * any part may come from the calls outside of bursts, and all calls that it lacks may be of this context, or
 * none. */
static struct hcct_interval widen(const struct hcct_file_estimate *estimate, struct hcct_interval share)
{
    double outside = whole(estimate), inside = estimate->sum, all = outside + inside;
    if (outside <= 0)
        return share;
    if (inside <= 0)
        return (struct hcct_interval){ 0, 1 };
    return (struct hcct_interval){ fmin(share.low, fmax(0, share.low * all - outside) / inside),
                                   fmax(share.high, fmin(1, share.high * all / inside)) };
}

struct hcct_interval hcct_estimate_share(const struct hcct_file_estimate *estimate, double trials,
                                         double least, double most)
{
    trials = hcct_estimate_trials(estimate, trials);
    return widen(estimate, (struct hcct_interval){ wilson(fmin(least, 1), trials).low,
                                                   wilson(fmin(most, 1), trials).high });
}

struct hcct_interval hcct_estimate_calls(const struct hcct_file_estimate *estimate, uint64_t calls)
{
    double least = (double)estimate->calls, slack = (double)estimate->slack;
    if (hcct_estimate_are_calls(estimate))
        return (struct hcct_interval){ fmax(least, (double)calls - slack), (double)calls + slack };
    return (struct hcct_interval){ least, INFINITY };
}

/* --- phases ---------------------------------------------------------------------------------------- */

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Sampled calls. A phase begins and ends anywhere in a stride, in each thread, and how often is not told. So
 * its N is as sure as any share of the run is. Where each call is a sample, or a count of samples, it is
 * known. No sample stands for more than a period of calls, so there were at least so many. */
static void choose_samples(struct hcct_file_estimate *estimate, uint64_t calls, uint64_t run_calls)
{
    double all = (double)run_calls, share = all > 0 ? fmin((double)calls / all, 1) : 0;
    struct hcct_interval bounds = hcct_estimate_share(estimate, 0, share, share);
    double away = ceil(all * fmax(share - bounds.low, bounds.high - share));
    bool is_known = estimate->kind == HCCT_ESTIMATE_TIMER || estimate->period == 1;
    if (!is_known)
        estimate->slack = hcct_sum(estimate->slack, away < 0x1p63 ? (uint64_t)away : UINT64_MAX);
    if (estimate->period)
        estimate->calls = calls / estimate->period + (calls % estimate->period != 0);
    else
        estimate->calls = estimate->kind == HCCT_ESTIMATE_TIMER ? calls : calls > 0;
    estimate->sum *= share;
    estimate->squares *= share;
}

/* The effective number of bursts falls as the part of the bursts does, as estimate^2 / squares does. All
 * calls outside of bursts may be of this phase, or none. */
static void choose_units(struct hcct_file_estimate *estimate, uint64_t calls)
{
    uint64_t outside = estimate->kind == HCCT_ESTIMATE_BUDGET    ? smaller(estimate->whole, calls)
                       : estimate->kind == HCCT_ESTIMATE_SEVERAL ? smaller(estimate->calls, calls)
                                                                 : 0;
    double part = estimate->sum > 0 ? fmin((double)(calls - outside) / estimate->sum, 1) : 0;
    estimate->sum *= part;
    estimate->squares *= part;
    estimate->calls = smaller(estimate->calls, calls); /* at the most */
    if (estimate->kind == HCCT_ESTIMATE_BUDGET)
        estimate->whole = outside;
}

struct hcct_file_estimate hcct_estimate_of_phase(const struct hcct_file_estimate *estimate, uint64_t calls,
                                                 uint64_t run_calls)
{
    struct hcct_file_estimate phase = *estimate;
    if (hcct_estimate_are_calls(estimate))
        choose_samples(&phase, calls, run_calls);
    else
        choose_units(&phase, calls);
    return phase;
}
