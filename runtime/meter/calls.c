/* See calls.h. */
#include "runtime/meter/calls.h"

#include "runtime/core/options.h"
#include "runtime/objects/registry.h"

void hcct_calls_say_uncounted(void)
{
    for (size_t i = 0; i < hcct_registry_object_count(); i++)
        if (hcct_registry_object(i)->uncounted)
            HCCT_SAY(1, hcct_registry_object(i)->path,
                     " has code that was compiled by --hcct-time-only: its calls are not counted "
                     "(metric=time is for it)");
}

static bool start(struct hcct_ticks *ticks)
{
    (void)ticks;
    hcct_calls_say_uncounted();
    return true;
}

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
    .start = start,
};
