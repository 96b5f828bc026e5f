/* The words of enumerated values, see export.h. */
#include "decoder/report/export.h"

#include <stddef.h>

const char *const hcct_mode_names[] = { "hcct", "cct" };
const char *const hcct_estimate_names[] = { "bursts", "calls", "calls-per-function", "timer", "several" };
const char *const hcct_algorithm_names[] = { "exact",          "space-saving",    "space-saving-bucket",
                                             "lossy-counting", "sticky-sampling", "frequent-items",
                                             "several" };
const char *const hcct_guarantee_names[] = { "exact", "deterministic", "probabilistic" };
const char *const hcct_metric_names[] = { "calls", "weight", "time", "wall", "clock" };
const char *const hcct_metric_titles[] = { "Calls", "Weight", "Time", "Time", "Clock" };
const char *const hcct_kind_names[] = { "function", "inlined", "external", "signal", "unknown", "repeat" };
const char *const hcct_recursion_names[] = { "keep", "fold", NULL };
