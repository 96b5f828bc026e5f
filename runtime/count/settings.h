/* See core/settings.h. */
#ifndef HCCT_RUNTIME_COUNT_SETTINGS_H
#define HCCT_RUNTIME_COUNT_SETTINGS_H

#include <stdint.h>

#include "runtime/base/real.h"

struct hcct_count_settings {
    union hcct_real phi, epsilon;
    uint32_t contexts; /* mode=hcct: as long as there are no more, counts are exact */
    uint32_t capacity; /* the number of counters afterwards, at least 1/epsilon */
};
extern __attribute__((visibility("hidden"))) struct hcct_count_settings hcct_count_settings;

#endif
