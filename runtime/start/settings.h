/* For boundary/ and api/, see core/settings.h. */
#ifndef HCCT_RUNTIME_START_SETTINGS_H
#define HCCT_RUNTIME_START_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

enum hcct_ranks {
#define HCCT_RANKS(symbol, name, help) HCCT_RANKS_##symbol,
#include "format/names.def"
};

struct hcct_start_settings {
    bool counting;        /* counting is on from the start */
    bool dump;            /* hcct-top --dump may ask for a profile */
    uint64_t snapshot_ns; /* time between two snapshots; 0: none */
    int ranks;            /* enum hcct_ranks (api/ranks.c) */
};
extern __attribute__((visibility("hidden"))) struct hcct_start_settings hcct_start_settings;

#endif
