/* Lists the call sites of an instrumented function: the calls that get code around them. */
#ifndef HCCT_PASS_SELECT_SITES_H
#define HCCT_PASS_SELECT_SITES_H

#include "pass/unit/unit.h"

/* Fills target->calls, those with a delta first. False if memory is short. */
bool hcct_sites_collect(struct hcct_unit *unit, struct hcct_target *target);

#endif
