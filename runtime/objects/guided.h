/* The option guide=ids.bin: the numbering prefers the calls that were frequent in an earlier run. A file that
 * cannot be used is a warning. */
#ifndef HCCT_RUNTIME_OBJECTS_GUIDED_H
#define HCCT_RUNTIME_OBJECTS_GUIDED_H

#include "hcct/abi.h"

/* Reads the guide. Once, before the program is numbered. Keeps errno. */
void hcct_guided_start(void);
/* The weight of a site. Without a guide it is that of its record. Under the registry's lock. */
uint8_t hcct_guided_weight(const struct hcct_site *site);
/* Says how many of the sites so far the guide has. It is a warning if some are missing. */
void hcct_guided_report(void);

#endif
