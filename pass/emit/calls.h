/* The code around a function's calls. */
#ifndef HCCT_PASS_EMIT_CALLS_H
#define HCCT_PASS_EMIT_CALLS_H

#include "pass/unit/unit.h"

/* Behind hcct_entry_emit. */
void hcct_calls_emit(struct hcct_unit *unit, struct hcct_target *target);
/* Whether a call with a delta pushes a frame whatever the delta says, but for HCCT_DELTA_NONE
 * (HCCT_SITE_FRAMED). */
bool hcct_calls_is_framed(const struct hcct_target *target, const struct hcct_call *call);
/* Whether the code of a call can note it (HCCT_SITE_NOTES). */
bool hcct_calls_notes(const struct hcct_target *target, const struct hcct_call *call);
/* Whether the runtime pushes, in any case, and first takes dead frames off the context stack. */
bool hcct_calls_is_pushed_by_runtime(const struct hcct_target *target, const struct hcct_call *call);

#endif
