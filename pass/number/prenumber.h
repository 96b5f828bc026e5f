/* Numbers the calls within a module. */
#ifndef HCCT_PASS_NUMBER_PRENUMBER_H
#define HCCT_PASS_NUMBER_PRENUMBER_H

#include "pass/unit/unit.h"

/* Sets `prenumbered` of the calls whose delta is positive in every program. In a unit with fixed ids it
 * numbers the functions for good; if that fails, the unit has no fixed ids. */
void hcct_prenumber_calls(struct hcct_unit *unit);

#endif
