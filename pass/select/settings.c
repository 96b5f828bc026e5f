/* How functions are to be instrumented: the settings that the wrappers hand over in the environment, of each
 * function those that it was compiled with, which in a link are what its mark tells (mark.c). */
#include <stdlib.h>
#include <string.h>

#include "pass/instrument.h"
#include "pass/unit.h"

bool hcct_setting(const char *name)
{
    const char *value = getenv(name);
    return value && *value && strcmp(value, "0") != 0;
}

bool hcct_setting_before_inlining(void)
{
    return hcct_setting("HCCT_BEFORE_INLINING");
}

bool hcct_setting_link(void)
{
    const char *value = getenv("HCCT_LTO");
    return value && strcmp(value, "link") == 0;
}

static uint32_t current_settings(void)
{
    return (hcct_setting_before_inlining() ? HCCT_SETTING_BEFORE_INLINING : 0u) |
           (hcct_setting("HCCT_SHADOW") ? HCCT_SETTING_SHADOW : 0u) |
           (hcct_setting("HCCT_TIME") ? HCCT_SETTING_TIME : 0u) |
           (hcct_setting("HCCT_TIME_ONLY") ? HCCT_SETTING_TIME | HCCT_SETTING_UNCOUNTED : 0u) |
           (hcct_setting("HCCT_CLOCK") ? HCCT_SETTING_CLOCK : 0u);
}

/* Beside enum hcct_setting, of one function: its time is measured. */
#define MEASURED (2u * HCCT_SETTING_CLOCK)

uint32_t hcct_settings_here(struct hcct_unit *unit, LLVMValueRef function)
{
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    return current_settings() |
           (hcct_filter_measures(name, hcct_unit_source(unit, function)) ? MEASURED : 0u);
}

static uint32_t settings_of(struct hcct_unit *unit, LLVMValueRef function)
{
    return unit->linking ? hcct_mark_settings(function) : hcct_settings_here(unit, function);
}

void hcct_settings_give(struct hcct_unit *unit)
{
    for (size_t i = 0; i < unit->target_count; i++) {
        struct hcct_target *target = &unit->targets[i];
        uint32_t settings = settings_of(unit, target->function);
        unit->shadow |= settings & HCCT_SETTING_SHADOW;
        target->restores = settings & HCCT_SETTING_TIME;
        target->uncounted = settings & HCCT_SETTING_UNCOUNTED;
        target->measured = settings & MEASURED;
        target->holds_clock =
            (settings & HCCT_SETTING_CLOCK) && !target->measured && hcct_clock_has_arrivals(target->function);
        target->settings = settings & ~MEASURED;
    }
}

/* A note for each combination of settings that the functions were compiled with. */
void hcct_settings_note(struct hcct_unit *unit)
{
    uint64_t noted = 0;
    _Static_assert(MEASURED <= 64, "a bit for each combination of settings");
    for (size_t i = 0; i < unit->target_count; i++) {
        uint32_t settings = unit->targets[i].settings;
        if (!(noted >> settings & 1))
            hcct_record_note(unit, settings);
        noted |= UINT64_C(1) << settings;
    }
}
