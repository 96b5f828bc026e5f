/* Marks on the functions that a compile step leaves to the link, and what the marks keep of them. */
#ifndef HCCT_PASS_SELECT_MARK_H
#define HCCT_PASS_SELECT_MARK_H

#include "pass/unit/unit.h"

/* Marks `function`. False if memory is short. */
bool hcct_mark_function(struct hcct_unit *unit, LLVMValueRef function, uint32_t settings);
/* Whether `function` is marked, and whether any of the module is. */
bool hcct_mark_is_on(LLVMValueRef function);
bool hcct_mark_is_in(LLVMModuleRef module);
void hcct_mark_remove_all(LLVMModuleRef module);
/* The settings of hcct_mark_function. */
uint32_t hcct_mark_settings(LLVMValueRef function);
/* The calls of `function` that are counted where they leave (externals.h), from malloc; NULL for none. */
char *hcct_mark_externals(struct hcct_unit *unit, LLVMValueRef function);
/* The source file that `function` is of; the module's where it is not marked. */
const char *hcct_mark_source(LLVMModuleRef module, LLVMValueRef function, size_t *length);
/* The name in that source, `*length` bytes that may be followed by more; and whether it is local there. */
const char *hcct_mark_name(LLVMValueRef global, size_t *length);
bool hcct_mark_is_local(LLVMValueRef function);
/* The id of the call site number `ordinal` of `function`: odd, and the same in every build of that source. */
uint64_t hcct_mark_site_id(struct hcct_unit *unit, LLVMValueRef function, uint32_t ordinal);
/* Refers to a symbol that nothing defines, so that a link without the pass fails. */
void hcct_mark_refer(struct hcct_unit *unit);
/* In a link with the pass: defines it. Whether it changed anything. */
bool hcct_mark_satisfy(LLVMModuleRef module);

#endif
