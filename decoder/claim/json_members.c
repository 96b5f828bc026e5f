/* See json_members.h. */
#include "decoder/claim/json_members.h"

#include <inttypes.h>
#include <math.h>

#include "decoder/store/estimate.h"
#include "format/names.h"

void hcct_claim_json_kind(struct hcct_json *json, const struct hcct_ground *ground)
{
    hcct_json_text(json, "mode", ground->mode);
    hcct_json_text(json, "algorithm", ground->algorithm);
    hcct_json_text(json, "guarantee", ground->guarantee);
    if (ground->sure == HCCT_SURE_NOTHING)
        hcct_json_bool(json, "saturated", true);
}

void hcct_claim_json_bound(struct hcct_json *json, const struct hcct_ground *ground, bool may_lack_hot)
{
    hcct_json_number(json, "epsilon", ground->epsilon);
    if (ground->delta > 0 && may_lack_hot)
        hcct_json_null(json, "delta");
    else if (ground->delta > 0 && ground->sure == HCCT_SURE_UPPER)
        hcct_json_number(json, "delta", ground->delta);
}

/* --- estimates -------------------------------------------------------------------------------------- */

static void write_interval(struct hcct_json *json, const char *low, const char *high,
                           struct hcct_interval interval)
{
    if (isfinite(interval.low))
        hcct_json_printf(json, low, "%.0f", floor(interval.low));
    else
        hcct_json_null(json, low);
    if (isfinite(interval.high))
        hcct_json_printf(json, high, "%.0f", ceil(interval.high));
    else
        hcct_json_null(json, high);
}

void hcct_claim_json_estimate(struct hcct_json *json, const struct hcct_ground *ground)
{
    const struct hcct_file_estimate *estimate = &ground->estimate;
    if (!ground->has_estimate)
        return;
    hcct_json_object(json, "estimate", HCCT_JSON_WORDS);
    hcct_json_text(json, "kind", hcct_estimate_names[estimate->kind]);
    hcct_json_unsigned(json, "period", estimate->period);
    hcct_json_printf(json, "confidence", "%g", HCCT_ESTIMATE_CONFIDENCE);
    hcct_json_unsigned(json, "interval", estimate->interval_ns);
    hcct_json_unsigned(json, "length", estimate->length_ns);
    hcct_json_bool(json, "adaptive", estimate->is_adaptive);
    hcct_json_unsigned(json, "units", estimate->units);
    hcct_json_unsigned(json, "bursts", estimate->samples);
    hcct_json_unsigned(json, "skipped", estimate->skipped);
    hcct_json_unsigned(json, "untimed", estimate->untimed);
    struct hcct_interval calls = hcct_estimate_calls(estimate, ground->total);
    if (ground->phase) /* not known */
        hcct_json_null(json, "observed");
    else
        hcct_json_unsigned(json, "observed", estimate->calls);
    if (ground->phase && !hcct_estimate_are_calls(estimate))
        calls.low = 0;
    hcct_json_unsigned(json, "whole", estimate->kind == HCCT_ESTIMATE_BUDGET ? estimate->whole : 0);
    hcct_json_printf(json, "effective_bursts", "%.6g", hcct_estimate_effective(estimate));
    write_interval(json, "calls_low", "calls_high", calls);
    hcct_json_end(json);
}

void hcct_claim_json_samples(struct hcct_json *json, const struct hcct_ground *ground)
{
    double half = HCCT_ESTIMATE_Z * sqrt(ground->variance), all = (double)ground->total;
    if (!ground->has_samples)
        return;
    hcct_json_unsigned(json, "period", ground->period);
    if (ground->variance < 0)
        return;
    hcct_json_printf(json, "low", "%.6g", fmax(all - half, 0));
    hcct_json_printf(json, "high", "%.6g", all + half);
}

/* The bounds of an estimate: of the count where N is known, or its bounds are, else of the share. */
static void write_bounds(struct hcct_json *json, const struct hcct_ground *ground, uint64_t count,
                         uint64_t error, uint32_t trials)
{
    double calls = ground->total ? (double)ground->total : 1;
    double least = (double)(count - error) / calls, most = (double)count / calls;
    struct hcct_interval share = hcct_estimate_share(&ground->estimate, 0, least, most);
    if (hcct_estimate_are_calls(&ground->estimate)) {
        struct hcct_interval all = { calls, calls };
        if (ground->phase)
            all = hcct_estimate_calls(&ground->estimate, ground->total);
        write_interval(json, "low", "high",
                       (struct hcct_interval){ share.low * all.low, share.high * all.high });
        return;
    }
    hcct_json_printf(json, "share_low", "%.6g", share.low);
    hcct_json_printf(json, "share_high", "%.6g", share.high);
    if (!trials)
        return;
    share = hcct_estimate_share(&ground->estimate, trials, least, most);
    hcct_json_printf(json, "own_low", "%.6g", share.low);
    hcct_json_printf(json, "own_high", "%.6g", share.high);
    hcct_json_printf(json, "trials", "%.6g", hcct_estimate_trials(&ground->estimate, trials));
}

/* heap_sample: the same of a context that is known to have so many trials. */
static void write_sampled_bounds(struct hcct_json *json, uint64_t count, uint64_t error, uint32_t trials)
{
    double most = (double)count, least = (double)(count - error);
    double share = HCCT_ESTIMATE_Z / sqrt(trials);
    hcct_json_printf(json, "low", "%.6g", fmax(least - share * least, 0));
    hcct_json_printf(json, "high", "%.6g", most + share * most);
}

void hcct_claim_json_range(struct hcct_json *json, const struct hcct_ground *ground, uint64_t count,
                           uint64_t error, uint32_t trials)
{
    if (ground->sure == HCCT_SURE_NOTHING)
        return;
    if (ground->has_estimate)
        write_bounds(json, ground, count, error, trials);
    if (ground->has_samples && trials)
        write_sampled_bounds(json, count, error, trials);
}
