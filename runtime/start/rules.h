/* A part of hcct_options_read. */
#ifndef HCCT_RUNTIME_START_RULES_H
#define HCCT_RUNTIME_START_RULES_H

/* Leaves out options that others exclude, and says so on standard error. Before there are threads. */
void hcct_rules_check(void);

#endif
