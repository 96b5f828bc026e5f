/* See core/settings.h. */
#ifndef HCCT_RUNTIME_STACK_SETTINGS_H
#define HCCT_RUNTIME_STACK_SETTINGS_H

#include <stdint.h>

struct hcct_stack_settings {
    uint64_t memory; /* mode=hcct: bytes for contexts */
    int recursion;   /* enum hcct_file_recursion */
};
extern __attribute__((visibility("hidden"))) struct hcct_stack_settings hcct_stack_settings;

#endif
