/* How functions are to be instrumented: what the wrappers hand over in the environment. */
#ifndef HCCT_PASS_SELECT_SETTINGS_H
#define HCCT_PASS_SELECT_SETTINGS_H

#include "pass/unit/unit.h"

/* Whether the environment variable is set, and neither empty nor 0. */
bool hcct_settings_is_on(const char *name);
/* HCCT_BEFORE_INLINING: the functions are to be counted as the source has them. */
bool hcct_settings_before_inlining(void);
/* HCCT_LTO=link: what is compiled to bitcode is instrumented when it is linked. */
bool hcct_settings_leave_to_link(void);
/* The settings of `function` in a compile step: enum hcct_setting, and a bit of settings.c's own. */
uint32_t hcct_settings_here(struct hcct_unit *unit, LLVMValueRef function);
/* Gives each target its settings: those of now in a compile step, those of its mark in a link. */
void hcct_settings_give(struct hcct_unit *unit);

#endif
