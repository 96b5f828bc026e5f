/* Finds likely callees of calls through pointers. */
#ifndef HCCT_PASS_NUMBER_GUESS_H
#define HCCT_PASS_NUMBER_GUESS_H

#include "pass/unit/unit.h"

/* Adds a call to target->calls for each guess. */
void hcct_guess_add(struct hcct_unit *unit);
/* Takes out the guesses that were not prenumbered. */
void hcct_guess_drop(struct hcct_unit *unit);
/* Whether `guess` is a guess of what `call` calls. */
bool hcct_guess_is_for(const struct hcct_call *guess, const struct hcct_call *call);

#endif
