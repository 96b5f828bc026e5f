/* Counts of calls that leave instrumented code, as --hcct-externals asks for. */
#ifndef HCCT_PASS_PREPARE_EXTERNALS_H
#define HCCT_PASS_PREPARE_EXTERNALS_H

#include "pass/unit/unit.h"

/* Adds targets that stand for functions which are not instrumented, and calls of them. Before the calls are
 * collected. False if memory is short. */
bool hcct_externals_add(struct hcct_unit *unit);

#endif
