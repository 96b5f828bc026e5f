/* The records that describe functions, call sites and modules to the runtime. */
#ifndef HCCT_PASS_EMIT_RECORD_H
#define HCCT_PASS_EMIT_RECORD_H

#include "pass/unit/unit.h"

/* Makes the target's state and an empty record. */
void hcct_record_declare(struct hcct_unit *unit, struct hcct_target *target);
/* Fills the record. Goes before the calls are moved, as it reads their debug locations. */
void hcct_record_define(struct hcct_unit *unit, struct hcct_target *target);
/* Makes a note for each combination of settings that the functions have. */
void hcct_record_notes(struct hcct_unit *unit);
/* Has the linker bring in the runtime of this ABI. */
void hcct_record_refer(struct hcct_unit *unit);

#endif
