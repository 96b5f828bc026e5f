/* A part of hcct_options_read. */
#ifndef HCCT_RUNTIME_CORE_OPTIONS_RULES_H
#define HCCT_RUNTIME_CORE_OPTIONS_RULES_H

/* Leaves out options that others exclude, and says so on standard error. Before there are threads. */
void hcct_options_check_rules(void);

#endif
