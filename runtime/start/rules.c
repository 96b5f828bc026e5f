/* Options that exclude others: each such case is a row of `rules`. */
#include "runtime/start/rules.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/layout.h"
#include "runtime/base/say.h"
#include "runtime/core/notice.h"
#include "runtime/core/settings.h"
#include "runtime/heap/settings.h"
#include "runtime/known/known.h"
#include "runtime/meter/settings.h"
#include "runtime/output/settings.h"
#include "runtime/stack/settings.h"
#include "runtime/start/settings.h"
#include "runtime/trace/trace.h"

struct hcct_start_settings hcct_start_settings = { .counting = true };

/* A bit is set if the option is not at its default. */
enum {
    OTHER_METRIC = 1, /* other than calls */
    WALL = 2,
    FOLD = 512,
    BUDGET = 1024,
    NO_HEAP = 2048, /* a metric other than heap */
    HEAP_SCAN = 4096,
    KNOWN = 8192,
    SPLIT = 16384,
    TRACE = 32768,
    HEAP_SAMPLE = 65536,
    DUMP = 131072,
    OUTPUT_OF_BUILD = 262144 /* its name has %m, which is not known before the profile is written */
};

/* Applied in this order: an option that one row left out does not count for the next rows. */
static const struct {
    uint32_t option, excludes;
    const char *text;
} rules[] = {
    { BUDGET, OTHER_METRIC, "budget needs metric=calls, and is left out" },
    { HEAP_SAMPLE, NO_HEAP, "heap_sample needs metric=heap, and is left out" },
    { HEAP_SCAN, HEAP_SAMPLE, "heap_scan needs all blocks, and is left out with heap_sample" },
    { DUMP, OUTPUT_OF_BUILD, "dump needs an output without %m, and is left out" },
    { HEAP_SCAN, NO_HEAP, "heap_scan needs metric=heap, and is left out" },
    { TRACE, OTHER_METRIC | BUDGET, "trace needs metric=calls and all calls counted, and is left out" },
    { KNOWN, TRACE, "known does not go with trace, and is left out" },
    { KNOWN, OTHER_METRIC | BUDGET | SPLIT,
      "known needs metric=calls, all calls counted and threads=joined, and is left out" },
    { FOLD, WALL, "metric=wall needs recursion=keep, which is used" },
};

static bool has_build(const char *output)
{
    for (; *output; output++)
        if (*output == '%' && *++output == 'm')
            return true;
    return false;
}

static uint32_t given(void)
{
    return (hcct_core_settings.metric != HCCT_METRIC_CALLS ? OTHER_METRIC : 0) |
           (hcct_core_settings.metric == HCCT_METRIC_WALL ? WALL : 0) |
           (hcct_meter_settings.budget ? BUDGET : 0) | (hcct_start_settings.dump ? DUMP : 0) |
           (hcct_stack_settings.recursion == HCCT_RECURSION_FOLDED ? FOLD : 0) |
           (hcct_core_settings.metric != HCCT_METRIC_HEAP ? NO_HEAP : 0) |
           (hcct_heap_settings.scan ? HEAP_SCAN : 0) | (hcct_known_path[0] ? KNOWN : 0) |
           (hcct_trace_path[0] ? TRACE : 0) | (hcct_core_settings.threads == HCCT_THREADS_SPLIT ? SPLIT : 0) |
           (hcct_heap_settings.sample ? HEAP_SAMPLE : 0) |
           (has_build(hcct_output_settings.path) ? OUTPUT_OF_BUILD : 0);
}

/* Sets the option to its default. */
static void leave_out(uint32_t option)
{
    hcct_meter_settings.budget = option == BUDGET ? 0 : hcct_meter_settings.budget;
    hcct_trace_path[0] = option == TRACE ? 0 : hcct_trace_path[0];
    hcct_known_path[0] = option == KNOWN ? 0 : hcct_known_path[0];
    hcct_heap_settings.sample = option == HEAP_SAMPLE ? 0 : hcct_heap_settings.sample;
    hcct_start_settings.dump = option == DUMP ? false : hcct_start_settings.dump;
    hcct_heap_settings.scan = option == HEAP_SCAN ? false : hcct_heap_settings.scan;
    hcct_stack_settings.recursion = option == FOLD ? HCCT_RECURSION_KEPT : hcct_stack_settings.recursion;
}

void hcct_rules_check(void)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (given() & rules[i].option && given() & rules[i].excludes) {
            HCCT_SAY(1, "HCCT_OPTIONS: ", rules[i].text);
            leave_out(rules[i].option);
        }
}
