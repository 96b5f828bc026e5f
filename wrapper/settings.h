/* The options that are ours: --hcct-…, each with a variable of the environment. */
#ifndef HCCT_WRAPPER_SETTINGS_H
#define HCCT_WRAPPER_SETTINGS_H

#include <stdbool.h>
#include <stdio.h>

/* Whether the argument begins as our options do. */
bool hcct_settings_is_one(const char *argument);
/* Sets the variable of such an option; ends with an error if there is no such option, or its value is bad. */
void hcct_settings_apply(const char *argument);
void hcct_settings_print_help(void);
/* Prints the variables that are set, each with a blank in front. */
void hcct_settings_print_given(FILE *out);

#endif
