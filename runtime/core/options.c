/* See options.h: what holds without HCCT_OPTIONS. start/options.c reads it. */
#include "runtime/core/options.h"

#include "format/layout.h"

struct hcct_options hcct_options = {
    .output = "ids.bin",
    .phi = { .value = 1e-4 },
    .epsilon = { .value = 2e-5 },
    .contexts = 50000,
    .capacity = 50000,
    .memory = UINT64_C(32) << 20,
    .mode = HCCT_MODE_HCCT,
    .frequency = 100,
    .unit = "weight",
    .counting = 1,
};
