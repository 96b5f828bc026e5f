/* Counts as people read them, see amount.h. */
#include "decoder/claim/amount.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int hcct_amount_decimals(const struct hcct_ground *ground)
{
    return ground->noun->decimals;
}

double hcct_amount_scale(const struct hcct_ground *ground)
{
    return ground->noun->decimals ? 1e9 : 1;
}

const char *hcct_amount_number(const struct hcct_ground *ground, uint64_t count,
                               char buffer[HCCT_AMOUNT_BYTES])
{
    int decimals = ground->noun->decimals;
    if (decimals)
        snprintf(buffer, HCCT_AMOUNT_BYTES, "%.*f", decimals, (double)count / 1e9);
    else
        snprintf(buffer, HCCT_AMOUNT_BYTES, "%" PRIu64, count);
    return buffer;
}

const char *hcct_amount_title(const struct hcct_ground *ground)
{
    return ground->noun->decimals ? "secs" : ground->unit;
}

const char *hcct_amount_all(const struct hcct_ground *ground)
{
    return ground->noun->decimals ? "time" : ground->unit;
}

const char *hcct_amount_text(const struct hcct_ground *ground, uint64_t count, char buffer[HCCT_AMOUNT_BYTES])
{
    char number[HCCT_AMOUNT_BYTES];
    const char *unit = ground->noun->decimals ? "s" : ground->unit;
    int ending = ground->noun->has_singular && count == 1;
    snprintf(buffer, HCCT_AMOUNT_BYTES, "%s %.*s", hcct_amount_number(ground, count, number),
             (int)strlen(unit) - ending, unit);
    return buffer;
}

const char *hcct_amount_whole(const struct hcct_ground *ground, uint64_t count,
                              char buffer[HCCT_AMOUNT_BYTES])
{
    hcct_amount_text(ground, count, buffer);
    size_t length = strlen(buffer);
    snprintf(buffer + length, HCCT_AMOUNT_BYTES - length, "%s",
             ground->noun->whole ? ground->noun->whole : "");
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

const char *hcct_amount_share(const struct hcct_ground *ground, uint64_t count,
                              char buffer[HCCT_AMOUNT_BYTES])
{
    return hcct_amount_share_of(ground->total, count, buffer);
}

const char *hcct_amount_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}
