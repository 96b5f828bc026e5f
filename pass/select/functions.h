/* Chooses the functions that are instrumented. */
#ifndef HCCT_PASS_SELECT_FUNCTIONS_H
#define HCCT_PASS_SELECT_FUNCTIONS_H

#include "pass/unit/unit.h"

/* Fills unit->targets, in the order of the module. False if there are none. */
bool hcct_functions_select(struct hcct_unit *unit);
/* Warns of calls by ifunc resolvers that may lead to code which is instrumented elsewhere: of functions of
 * other modules, and through pointers. Not if the caller is `noprofile`, or the filter names the callee. */
void hcct_functions_warn_of_resolvers(LLVMModuleRef module);
/* Whether the function belongs to this profiler or to another tool of the compiler: it is neither
 * instrumented nor given a context. */
bool hcct_functions_is_compilers_own(const char *name);
/* Whether every use of the target `function` in this module is a call that an instrumented function makes. */
bool hcct_functions_is_called_only(struct hcct_unit *unit, LLVMValueRef function);
/* Whether its code is to be short: it is cold, or compiled with -Os or -Oz. */
bool hcct_functions_is_small(LLVMValueRef function);
/* Whether it initializes objects of a file before main. Its section tells: clang has one for these. */
bool hcct_functions_runs_once(LLVMValueRef function);

#endif
