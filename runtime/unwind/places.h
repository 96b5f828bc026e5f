/* Which function an instruction belongs to, and which site a return address: for all instrumented objects.
 * Signals: async-signal-safe. */
#ifndef HCCT_RUNTIME_UNWIND_PLACES_H
#define HCCT_RUNTIME_UNWIND_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "hcct/abi.h"

/* Makes the tables, if objects were loaded or unloaded since the last time. False if that is not possible
 * now. Not under the table lock; only while busy. */
bool hcct_places_refresh(void);

/* The others are called under the table lock. The function whose code begins at the address, or NULL. */
const struct hcct_state *hcct_places_function(uintptr_t start);
/* The site of the numbered call that returns to `pc`, in a function whose code begins at `start`; NULL: it is
 * none. */
const struct hcct_site *hcct_places_site(const struct hcct_state *state, uintptr_t start, uintptr_t pc);

/* Whether a sibling call may lead to the function, which then is not in the place of the one that was
 * called. */
bool hcct_places_may_be_sibling(const struct hcct_state *state);

#endif
