/* See core/settings.h. */
#ifndef HCCT_RUNTIME_HEAP_SETTINGS_H
#define HCCT_RUNTIME_HEAP_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

struct hcct_heap_settings {
    uint64_t sample; /* one byte of so many is chosen (tables/sample.h); 0: all blocks count */
    bool scan;       /* a profile tells which live blocks are lost */
};
extern __attribute__((visibility("hidden"))) struct hcct_heap_settings hcct_heap_settings;

#endif
