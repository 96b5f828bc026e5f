/* Sentences, see words.h. */
#include "decoder/claim/words.h"

#include <inttypes.h>
#include <math.h>

#include "decoder/claim/amount.h"
#include "decoder/store/estimate.h"

const char *const hcct_sure_names[] = { "exact", "upper", "chance", "nothing" };

static void say_chance(const struct hcct_ground *it, char text[HCCT_CLAIM_BYTES])
{
    const char *estimates = "probabilistic, estimates from", *what = hcct_estimate_name(&it->estimate);
    if (it->has_estimate && it->phase)
        snprintf(text, HCCT_CLAIM_BYTES, "%s the run's %" PRIu64 " %s", estimates, it->estimate.samples,
                 what);
    else if (it->has_estimate)
        snprintf(text, HCCT_CLAIM_BYTES, "%s %" PRIu64 " %s, %" PRIu64 " calls counted", estimates,
                 it->estimate.samples, what, it->estimate.calls);
    else if (it->period)
        snprintf(text, HCCT_CLAIM_BYTES, "%s samples, one byte in %" PRIu64, estimates, it->period);
    else
        snprintf(text, HCCT_CLAIM_BYTES, "%s samples", estimates);
}

void hcct_claim_say(const struct hcct_ground *it, bool is_sound, bool may_lack_hot,
                    char text[HCCT_CLAIM_BYTES])
{
    switch (it->sure) {
    case HCCT_SURE_EXACT:
        snprintf(text, HCCT_CLAIM_BYTES, "exact%s", is_sound ? "" : ", but for what was dropped");
        break;
    case HCCT_SURE_UPPER:
        if (!(it->delta > 0))
            snprintf(text, HCCT_CLAIM_BYTES, "deterministic");
        else if (may_lack_hot)
            snprintf(text, HCCT_CLAIM_BYTES, "probabilistic, but hot contexts may be missing");
        else
            snprintf(text, HCCT_CLAIM_BYTES, "probabilistic, delta %g", it->delta);
        break;
    case HCCT_SURE_CHANCE:
        say_chance(it, text);
        break;
    case HCCT_SURE_NOTHING:
        snprintf(text, HCCT_CLAIM_BYTES, "none: " HCCT_CAPPED);
        break;
    }
}

void hcct_claim_say_shortly(const struct hcct_ground *it, char text[HCCT_CLAIM_BYTES])
{
    enum hcct_sure sure = it->sure;
    if (sure == HCCT_SURE_UPPER)
        snprintf(text, HCCT_CLAIM_BYTES, "epsilon %g", it->epsilon);
    else
        snprintf(text, HCCT_CLAIM_BYTES, "%s",
                 sure == HCCT_SURE_EXACT    ? "exact counts"
                 : sure == HCCT_SURE_CHANCE ? "estimates"
                                            : "no bounds");
}

void hcct_claim_print(FILE *out, const struct hcct_ground *it, bool is_sound, bool may_lack_hot)
{
    char amount[HCCT_AMOUNT_BYTES];
    if (it->noun->how)
        fprintf(out, ", %s", it->noun->how);
    else if (it->sure == HCCT_SURE_EXACT && is_sound)
        fputs(", every count exact", out);
    if (it->sure == HCCT_SURE_UPPER)
        fprintf(out, ", counts at most %.4g%% of the %s too high (epsilon %g)", it->epsilon * 100,
                hcct_amount_all(it), it->epsilon);
    if (it->since)
        fprintf(out, ",\nexact for the first %s, when memory was full",
                hcct_amount_text(it, it->since, amount));
    if (it->sure == HCCT_SURE_UPPER && it->delta > 0 && !may_lack_hot)
        fprintf(out, ",\nfor all hot contexts with a probability of %g (delta %g)", 1 - it->delta, it->delta);
}

/* --- estimates -------------------------------------------------------------------------------------- */

static void print_sampled_calls(FILE *out, const struct hcct_ground *it)
{
    const struct hcct_file_estimate *estimate = &it->estimate;
    fprintf(out, "estimates, from %s%" PRIu64 " sample%s", it->phase ? "the run's " : "", estimate->samples,
            hcct_amount_plural(estimate->samples));
    if (estimate->kind == HCCT_ESTIMATE_TIMER)
        fputs(", each the call after a tick", out);
    else if (estimate->period)
        fprintf(out, ", one in %" PRIu64 " calls%s", estimate->period,
                estimate->kind == HCCT_ESTIMATE_CALLS_PER_FUNCTION ? " of each function" : "");
    fputs(estimate->kind == HCCT_ESTIMATE_TIMER ? ": counts are samples, not calls:\n" : ":\n", out);
}

/* With two digits, but all of it as 100. */
static void print_percent(FILE *out, const char *before, double share, const char *behind)
{
    fprintf(out, "%s%.*g%%%s", before, share < 0.995 ? 2 : 3, 100 * share, behind);
}

static void print_all_bursts(FILE *out, const struct hcct_ground *it)
{
    const struct hcct_file_estimate *estimate = &it->estimate;
    fprintf(out, "estimates, from %s%" PRIu64 " burst%s", it->phase ? "the run's " : "", estimate->samples,
            hcct_amount_plural(estimate->samples));
    if (estimate->interval_ns)
        fprintf(out, " of %.4g ms, one in %.4g ms of CPU time", (double)estimate->length_ns / 1e6,
                (double)estimate->interval_ns / 1e6);
    if (estimate->skipped)
        fprintf(out, ", and %" PRIu64 " left out", estimate->skipped);
    if (estimate->kind == HCCT_ESTIMATE_BUDGET)
        fputs(", where all calls would have passed the budget", out);
    fputs(":\n", out);
    if (it->phase) /* how many of its calls were counted is not known */
        return;
    fprintf(out, "%" PRIu64 " calls were counted", estimate->calls);
    if (estimate->kind == HCCT_ESTIMATE_BUDGET && it->total)
        print_percent(out, ", at most ", (double)estimate->calls / (double)it->total, " of all");
    fputs("; ", out);
}

void hcct_claim_print_estimate(FILE *out, const struct hcct_ground *it)
{
    if (!it->has_estimate || it->sure == HCCT_SURE_NOTHING)
        return;
    const struct hcct_file_estimate *estimate = &it->estimate;
    struct hcct_interval calls = hcct_estimate_calls(estimate, it->total);
    struct hcct_interval tenth = hcct_estimate_share(estimate, 0, 0.1, 0.1),
                         hundredth = hcct_estimate_share(estimate, 0, 0.01, 0.01);
    if (!hcct_estimate_are_calls(estimate))
        print_all_bursts(out, it);
    else
        print_sampled_calls(out, it);
    if (estimate->kind != HCCT_ESTIMATE_TIMER && isfinite(calls.high))
        fprintf(out, "there were %.3g to %.3g; ", calls.low, calls.high);
    else if (estimate->kind != HCCT_ESTIMATE_TIMER)
        fputs("N is an estimate without bounds; ", out);
    print_percent(out, "10% mean ", tenth.low, " to ");
    print_percent(out, "", tenth.high, ", ");
    print_percent(out, "1% mean ", hundredth.low, " to ");
    print_percent(out, "", hundredth.high, ", at the worst (95% confidence)\n");
}

void hcct_claim_print_samples(FILE *out, const struct hcct_ground *it)
{
    double half = HCCT_ESTIMATE_Z * sqrt(it->variance), all = (double)it->total;
    if (!it->has_samples)
        return;
    fputs("estimates from samples", out);
    if (it->period)
        fprintf(out, ": one byte of %" PRIu64 " was chosen", it->period);
    if (it->variance >= 0)
        fprintf(out, "; with 95%% the sum is %.0f to %.0f %s", fmax(all - half, 0), all + half, it->unit);
    fputc('\n', out);
}
