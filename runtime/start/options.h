/* Reads HCCT_OPTIONS into the settings of all layers (core/settings.h). docs/options.md lists the keys, and a
 * test compares it with the table in options.c. */
#ifndef HCCT_RUNTIME_START_OPTIONS_H
#define HCCT_RUNTIME_START_OPTIONS_H

/* Once, before any thread exists, from `environment` (NULL: none). Chooses the meter, too. Each problem is
 * one line on standard error. */
void hcct_options_read(char **environment);

#endif
