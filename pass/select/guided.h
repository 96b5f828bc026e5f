/* The weights of call sites by the profile of an earlier run (HCCT_GUIDE). */
#ifndef HCCT_PASS_SELECT_GUIDED_H
#define HCCT_PASS_SELECT_GUIDED_H

#include <stdint.h>

/* Reads the profile, once a process. Returns what is wrong with it, or NULL. */
const char *hcct_guided_load(void);
/* The weight of the site with that id. Without a profile it is `weight`, its static frequency. */
uint8_t hcct_guided_weight(uint64_t site, uint8_t weight);

#endif
