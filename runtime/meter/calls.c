/* See calls.h. */
#include "runtime/meter/calls.h"

static bool is_chosen(void)
{
    return true;
}

const struct hcct_meter hcct_meter_calls = {
    .name = "metric=calls: ",
    .is_chosen = is_chosen,
    .counts_calls = true,
    .is_plain = true,
    .slots = HCCT_SLOTS_HOLD_CALLS,
};
