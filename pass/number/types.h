/* What virtual calls may lead to, by the class hierarchy. */
#ifndef HCCT_PASS_NUMBER_TYPES_H
#define HCCT_PASS_NUMBER_TYPES_H

#include "pass/unit/unit.h"

#define HCCT_TYPES_MOST 64

/* The callees that hcct_types_resolve found. `nodes` is to be freed. */
struct hcct_types {
    LLVMValueRef *nodes;
    unsigned count;
};

/* In a compile step: notes at each virtual call which class and offset it is of. */
void hcct_types_note(struct hcct_unit *unit);
/* At the beginning of a link: lists the functions for each note. Whether there are notes. */
bool hcct_types_resolve(LLVMModuleRef module);
/* At the end of a link: finds the list of `call`, up to HCCT_TYPES_MOST functions, NULL where one is gone.
 * False if the call has no list. */
void hcct_types_open(struct hcct_types *types, LLVMModuleRef module);
bool hcct_types_callees(const struct hcct_types *types, LLVMValueRef call, LLVMValueRef *functions,
                        unsigned *count);

#endif
