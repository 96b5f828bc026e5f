/* Reads the settings that the wrappers hand over in the environment. A function's settings are those that it
 * was compiled with: in a link its mark tells them (mark.h), so that one link may hold functions of several
 * builds. */
#include "pass/select/settings.h"

#include <stdlib.h>
#include <string.h>

#include "pass/select/externals.h"
#include "pass/select/filter.h"
#include "pass/select/mark.h"
#include "pass/unit/ir.h"

bool hcct_settings_is_on(const char *name)
{
    const char *value = getenv(name);
    return value && *value && strcmp(value, "0") != 0;
}

bool hcct_settings_before_inlining(void)
{
    return hcct_settings_is_on("HCCT_BEFORE_INLINING");
}

bool hcct_settings_leave_to_link(void)
{
    const char *value = getenv("HCCT_LTO");
    return value && strcmp(value, "link") == 0;
}

static uint32_t current_settings(void)
{
    return (hcct_settings_before_inlining() ? HCCT_SETTING_BEFORE_INLINING : 0u) |
           (hcct_settings_is_on("HCCT_SHADOW") ? HCCT_SETTING_SHADOW : 0u) |
           (hcct_settings_is_on("HCCT_CLOCK") ? HCCT_SETTING_CLOCK : 0u) |
           (hcct_externals_asked() ? HCCT_SETTING_EXTERNALS : 0u);
}

/* One bit more than enum hcct_setting has: the time of this function is measured. */
#define MEASURED (2u * HCCT_SETTING_EXTERNALS)

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
    unit->shadow = hcct_settings_is_on("HCCT_SHADOW");
    unit->shadow_alone = unit->shadow && strcmp(getenv("HCCT_SHADOW"), "alone") == 0;
    for (size_t i = 0; i < unit->target_count; i++) {
        struct hcct_target *target = &unit->targets[i];
        uint32_t settings = settings_of(unit, target->function);
        unit->shadow |= settings & HCCT_SETTING_SHADOW;
        target->measured = settings & MEASURED;
        target->holds_clock =
            (settings & HCCT_SETTING_CLOCK) && !target->measured && hcct_ir_has_arrivals(target->function);
        target->settings = settings & ~MEASURED;
    }
}
