/* See noun.h. */
#include "decoder/claim/noun.h"

#include "format/layout.h"
#include "format/names.h"
#include "hcct/abi.h"

#define IN_HANDLERS "dropped in signal handlers"
#define AS_SAMPLES                                                                                           \
    "lost: the samples came late, or in code without unwind tables, or a thread could get no timer"
#define TOO_SHORT                                                                                            \
    ": it used less CPU time than the timer waits for a sample, 10 ms unless HCCT_OPTIONS=frequency= says "  \
    "other"

/* What a timer or a counter of the processor samples. */
#define SAMPLED .how = "by samples", .missed = AS_SAMPLES, .by_samples = true

static const struct hcct_noun nouns[] = {
    [HCCT_METRIC_CALLS] = { .missed = IN_HANDLERS, .nothing = "", .is_calls = true, .has_singular = true },
    [HCCT_METRIC_WEIGHT] = { .missed = IN_HANDLERS, .nothing = ": the program did not call hcct_count()" },
    [HCCT_METRIC_TIME] = { SAMPLED, .whole = " of CPU time", .pprof = "cpu", .nothing = TOO_SHORT,
                           .decimals = 3 },
    [HCCT_METRIC_WALL] = { SAMPLED, .whole = " of the threads' time", .pprof = "wall", .by_caller = true,
                           .nothing = TOO_SHORT, .decimals = 3 },
    [HCCT_METRIC_CLOCK] = { .whole = " of the threads' time",
                            .pprof = "wall",
                            .how = "by the clock",
                            .missed = IN_HANDLERS,
                            .setting = HCCT_SETTING_CLOCK,
                            .unbuilt = ": the program was not compiled by hcct-cc --hcct-clock",
                            .nothing = ": no function that hcct-cc --hcct-clock=FILE names returned",
                            .decimals = 6 },
    [HCCT_METRIC_HEAP] = { .missed = IN_HANDLERS,
                           .nothing = ": no call of malloc was seen; those in the file that defines a malloc "
                                      "of the program's own are not (docs/heap.md)",
                           .by_caller = true,
                           .is_heap = true,
                           .has_singular = true },
};

/* A file has an event as a weight whose unit is the event's name. */
static const struct hcct_noun event = {
    SAMPLED,
    .nothing = ": there were fewer than one sample takes; or this machine does not count them, or the system "
               "forbids it, which the program said when it ran",
};

const struct hcct_noun *hcct_noun_of(uint32_t metric, const char *unit)
{
    bool is_event = metric == HCCT_METRIC_WEIGHT && hcct_name_find(hcct_event_names, unit) >= 0;
    return is_event ? &event : &nouns[metric];
}
