/* Tail calls that the code generator would make of a call and a return in another block. */
#ifndef HCCT_PASS_PREPARE_RETURNS_H
#define HCCT_PASS_PREPARE_RETURNS_H

#include "pass/unit/unit.h"

/* Copies the return behind such calls. Goes before the calls of the function are collected. */
void hcct_returns_copy(struct hcct_unit *unit, LLVMValueRef function);

#endif
