/* See core/settings.h. */
#ifndef HCCT_RUNTIME_METER_SETTINGS_H
#define HCCT_RUNTIME_METER_SETTINGS_H

#include <stdint.h>

struct hcct_event;

struct hcct_meter_settings {
    uint32_t frequency; /* metric=time and wall: samples a second */
    unsigned budget;    /* percent; 0: none */
    /* the event whose number is the weight; NULL: the program gives weights */
    const struct hcct_event *event;
    uint64_t period; /* events for one sample */
};
extern __attribute__((visibility("hidden"))) struct hcct_meter_settings hcct_meter_settings;

#endif
