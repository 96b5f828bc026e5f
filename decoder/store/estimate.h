/* How sure an estimate from samples is (docs/metrics.md): from bursts, or from single calls.
 *
 * A context's share p of the calls is a ratio estimate over B samples; its share of a sample is between 0 and
 * 1, so that the variance of the ratio is at most p (1 - p) / B, which it reaches where a sample is all of
 * that context or has none of it. With bursts of different weight, y calls each, B is Kish's effective
 * number, (sum y)^2 / sum y^2. Where samples are single calls of weight up to `period`, B is the sum of
 * y / period, for which the same holds whatever has which weight. The interval is Wilson's, for that number
 * of trials: so a bound for the worst case, and mostly far too wide. Where the profile tells how the
 * context's share differed from burst to burst, its own trials take the place of B.
 *
 * With budget=… calls outside of bursts were counted, too, E of them, and the bursts estimate S others. B is
 * that of the bursts alone. S is too low by a part that is not known, so the interval has the shares for
 * every larger S as well: from those of the E + S calls towards those of the S calls alone. */
#ifndef HCCT_DECODER_STORE_ESTIMATE_H
#define HCCT_DECODER_STORE_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

#include "format/layout.h"

#define HCCT_ESTIMATE_CONFIDENCE 0.95
#define HCCT_ESTIMATE_Z 1.959963984540054 /* of a normal distribution, for that confidence */

struct hcct_interval {
    double low, high;
};

/* What they are: "bursts" or "samples", which are single calls. */
const char *hcct_estimate_name(const struct hcct_file_estimate *estimate);
bool hcct_estimate_are_calls(const struct hcct_file_estimate *estimate);
/* What was counted, in words: "calls", or "ticks (sample=timer)", which do not add up with calls. `estimate`
 * is NULL for a profile without estimates. */
const char *hcct_estimate_counted(const struct hcct_file_estimate *estimate);
/* Adds what another file observed, which counted the same. `is_first`: `to` is empty. */
void hcct_estimate_add(struct hcct_file_estimate *to, const struct hcct_file_estimate *from, bool is_first);
/* The same of files where all calls were counted, so many. */
void hcct_estimate_add_counted(struct hcct_file_estimate *to, uint64_t calls);
/* B; 0: nothing was observed. */
double hcct_estimate_effective(const struct hcct_file_estimate *estimate);
/* The interval of a context's share of all calls, 0 to 1. Its share of the calls that were observed is from
 * `least` to `most`. `trials`: the context's own (struct hcct_file_cell); 0 if they are not known. */
struct hcct_interval hcct_estimate_share(const struct hcct_file_estimate *estimate, double trials,
                                         double least, double most);
/* The trials that the interval is for: the context's own, or B if these are fewer or not known. */
double hcct_estimate_trials(const struct hcct_file_estimate *estimate, double trials);
/* Of N, estimated as `calls`. Of bursts nothing but what they counted is certain: a burst has fewer calls for
 * the time that counting takes, and more where its end comes late, and nobody knows how many. Of single calls
 * N is known but for a stratum of each thread. Infinite where there is no bound. */
struct hcct_interval hcct_estimate_calls(const struct hcct_file_estimate *estimate, uint64_t calls);

/* The estimate of a phase with so many calls, of a run with `run_calls`. The phase gets the part of the
 * bursts or samples that is certainly its own. If samples are calls, `slack` becomes what its N may be off.
 * Its `calls` is a bound only: how many calls were counted in the phase is not known. */
struct hcct_file_estimate hcct_estimate_of_phase(const struct hcct_file_estimate *estimate, uint64_t calls,
                                                 uint64_t run_calls);

#endif
