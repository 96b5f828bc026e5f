/* HCCT_OPTIONS=guide=ids.bin: the profile of an earlier run that the numbering follows. A file that cannot be
 * used is a warning. */
#ifndef HCCT_RUNTIME_OBJECTS_GUIDE_H
#define HCCT_RUNTIME_OBJECTS_GUIDE_H

#include "hcct/abi.h"

/* Reads the file. Once, before the program is numbered. Keeps errno. */
void hcct_guide_start(void);
/* The weight of a site, that in its record where there is no guide. Under the registry's lock. */
uint8_t hcct_guided_weight(const struct hcct_site *site);
/* Says how many of the sites that were asked for so far the guide has: a warning if not all. */
void hcct_guide_report(void);

#endif
