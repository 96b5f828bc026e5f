/* Functions that take their word as a parameter. */
#ifndef HCCT_PASS_PREPARE_PARAMETER_H
#define HCCT_PASS_PREPARE_PARAMETER_H

#include "pass/unit/unit.h"

/* Gives each target that only numbered calls enter a hidden last parameter for its word, and sets
 * `passed`. */
void hcct_parameter_add_all(struct hcct_unit *unit);

#endif
