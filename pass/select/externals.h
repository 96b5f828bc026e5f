/* Which calls of functions that are not instrumented are counted: HCCT_EXTERNALS (hcct-cc
 * --hcct-externals). */
#ifndef HCCT_PASS_SELECT_EXTERNALS_H
#define HCCT_PASS_SELECT_EXTERNALS_H

#include "pass/unit/pattern.h"
#include "pass/unit/unit.h"

/* What the user asks for in this compile step: NULL for none; else a regular expression, which may be empty
 * and then means all. */
const char *hcct_externals_asked(void);
/* False, and one message in *error, if that is no regular expression. */
bool hcct_externals_check(const char **error);

/* The name of the function whose call `call` is, if it is one that `text` chooses; else NULL. The call must
 * be direct, and lead to a function that is not instrumented here. Never of an intrinsic, but of memcpy,
 * memmove and memset of a length that only the program knows: these become calls. */
const char *hcct_externals_callee(struct hcct_unit *unit, struct hcct_pattern *pattern, const char *text,
                                  LLVMValueRef call, LLVMValueRef *callee);

#endif
