/* Tail calls through pointers: most become plain calls. */
#ifndef HCCT_PASS_SELECT_SIBLINGS_H
#define HCCT_PASS_SELECT_SIBLINGS_H

#include "pass/unit/unit.h"

/* Decides for all targets, when their calls are listed and it is known which are enterable. False: memory is
 * short. */
bool hcct_siblings_release(struct hcct_unit *unit);

#endif
