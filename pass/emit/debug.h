/* What records tell of the source: names, files and inlined frames, from the debug information. Each is a
 * global of the module, made once. NULL: there is none. */
#ifndef HCCT_PASS_EMIT_DEBUG_H
#define HCCT_PASS_EMIT_DEBUG_H

#include "pass/unit/unit.h"

LLVMValueRef hcct_debug_string(struct hcct_unit *unit, const char *text, size_t length);
/* The path of a DIFile, absolute where it tells its folder. */
LLVMValueRef hcct_debug_file(struct hcct_unit *unit, LLVMMetadataRef file);
/* As the linker knows it, or as the source has it. */
LLVMValueRef hcct_debug_subprogram_name(struct hcct_unit *unit, LLVMMetadataRef subprogram, bool linkage);
/* The chain of inlined frames that `location` lies in, innermost first; NULL where it lies in the function
 * itself. */
LLVMValueRef hcct_debug_inlined(struct hcct_unit *unit, LLVMMetadataRef location);

#endif
