/* Hooks leave the thread's word as they found it. */
#ifndef HCCT_PASS_EMIT_HOOK_WORD_H
#define HCCT_PASS_EMIT_HOOK_WORD_H

#include "pass/unit/unit.h"

/* Adds the code for that to the module's hooks (select/hook.h). */
void hcct_hook_word_keep_all(struct hcct_unit *unit);

#endif
