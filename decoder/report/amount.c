/* Counts as people read them, see amount.h. */
#include "decoder/report/amount.h"

#include <inttypes.h>
#include <string.h>

int hcct_amount_decimals(const struct hcct_summary *summary)
{
    return summary->metric == HCCT_METRIC_CLOCK ? 6 : hcct_metric_is_time(summary->metric) ? 3 : 0;
}

const char *hcct_amount_number(const struct hcct_summary *summary, uint64_t count,
                               char buffer[HCCT_AMOUNT_BYTES])
{
    int decimals = hcct_amount_decimals(summary);
    if (decimals)
        snprintf(buffer, HCCT_AMOUNT_BYTES, "%.*f", decimals, (double)count / 1e9);
    else
        snprintf(buffer, HCCT_AMOUNT_BYTES, "%" PRIu64, count);
    return buffer;
}

const char *hcct_amount_title(const struct hcct_summary *summary)
{
    return hcct_metric_is_time(summary->metric) ? "secs" : summary->unit;
}

const char *hcct_amount_text(const struct hcct_summary *summary, uint64_t count,
                             char buffer[HCCT_AMOUNT_BYTES])
{
    char number[HCCT_AMOUNT_BYTES];
    const char *unit = hcct_metric_is_time(summary->metric) ? "s" : summary->unit;
    bool is_ours = summary->metric == HCCT_METRIC_CALLS || summary->metric == HCCT_METRIC_HEAP;
    int ending = is_ours && count == 1; /* calls, bytes, blocks: without the s */
    snprintf(buffer, HCCT_AMOUNT_BYTES, "%s %.*s", hcct_amount_number(summary, count, number),
             (int)strlen(unit) - ending, unit);
    return buffer;
}

const char *hcct_amount_share_of(uint64_t all, uint64_t count, char buffer[HCCT_AMOUNT_BYTES])
{
    double percent = all ? 100 * (double)count / (double)all : 0;
    if (percent > 100) /* a sum of upper bounds; none of what it bounds is more than all */
        percent = 100;
    snprintf(buffer, HCCT_AMOUNT_BYTES, count && percent < 0.005 ? "<0.01%%" : "%.2f%%", percent);
    return buffer;
}

const char *hcct_amount_share(const struct hcct_summary *summary, uint64_t count,
                              char buffer[HCCT_AMOUNT_BYTES])
{
    return hcct_amount_share_of(summary->calls, count, buffer);
}

const char *hcct_amount_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}
