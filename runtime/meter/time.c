/* See time.h. A thread's timer (timer.h) interrupts it after each interval of its CPU time. The interval is
 * added to the context that the thread is in (sampler.h). */
#include "runtime/meter/time.h"

#include "runtime/core/settings.h"
#include "runtime/meter/sampler.h"
#include "runtime/meter/settings.h"
#include "runtime/objects/leaf.h"

static bool is_chosen(void)
{
    return hcct_core_settings.metric == HCCT_METRIC_TIME;
}

bool hcct_time_start(struct hcct_ticks *ticks)
{
    *ticks = (struct hcct_ticks){ .interval_ns = 1000000000 / hcct_meter_settings.frequency,
                                  .are_samples = true,
                                  .is_frequency = true,
                                  .without = "no CPU time is counted",
                                  .take = hcct_sampler_take };
    return hcct_sampler_start();
}

static const struct hcct_meter_threads threads = { .end = hcct_sampler_miss };

const struct hcct_meter hcct_meter_time = {
    .name = "metric=time: ",
    .is_chosen = is_chosen,
    .start = hcct_time_start,
    .flush = hcct_sampler_miss_all,
    .threads = &threads,
    .file = &hcct_sampler_file,
};
