/* Counts as people read them. What is counted depends on the metric: calls, weights of some unit, or
 * nanoseconds, which are shown as seconds.
 *
 * The functions that take a buffer return it. */
#ifndef HCCT_DECODER_CLAIM_AMOUNT_H
#define HCCT_DECODER_CLAIM_AMOUNT_H

#include "decoder/claim/ground.h"

#define HCCT_AMOUNT_BYTES 64

/* The digits behind the point: 0, but for times, which are seconds: 3 by samples, 6 by the clock. */
int hcct_amount_decimals(const struct hcct_ground *ground);
/* The amount that a rate counts as 1: 1e9 for times, whose counts are nanoseconds; else 1. */
double hcct_amount_scale(const struct hcct_ground *ground);
/* The number alone: "24", or "0.120" for a time. */
const char *hcct_amount_number(const struct hcct_ground *ground, uint64_t count,
                               char buffer[HCCT_AMOUNT_BYTES]);
/* The heading of a column of such numbers: "calls", "bytes", "secs". */
const char *hcct_amount_title(const struct hcct_ground *ground);
/* What a share is a share of: "calls", "time". */
const char *hcct_amount_all(const struct hcct_ground *ground);
/* With its unit: "2 calls", "1 call", "3 bytes", "0.120 s". */
const char *hcct_amount_text(const struct hcct_ground *ground, uint64_t count,
                             char buffer[HCCT_AMOUNT_BYTES]);
/* The same with what it is of: "0.120 s of CPU time". */
const char *hcct_amount_whole(const struct hcct_ground *ground, uint64_t count,
                              char buffer[HCCT_AMOUNT_BYTES]);
/* Its share of all that was counted: "12.50%", or "<0.01%". */
const char *hcct_amount_share(const struct hcct_ground *ground, uint64_t count,
                              char buffer[HCCT_AMOUNT_BYTES]);
/* The same of another sum; of 0 it is "0.00%". */
const char *hcct_amount_share_of(uint64_t all, uint64_t count, char buffer[HCCT_AMOUNT_BYTES]);
/* The ending of a noun behind a number: "" or "s". */
const char *hcct_amount_plural(uint64_t count);

#endif
