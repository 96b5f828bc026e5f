/* HCCT_HEIGHTS: the module is not instrumented. Frames of functions get larger, functions lose their tail
 * calls, and calls are wrapped, as a plan of hcct-heights says, so that stack heights tell call paths apart
 * (docs/heights.md). */
#ifndef HCCT_PASS_PREPARE_FRAMES_H
#define HCCT_PASS_PREPARE_FRAMES_H

#include <stdbool.h>

#include <llvm-c/Core.h>

/* Whether that is asked for: HCCT_HEIGHTS is the path of a plan, or 1: no plan. */
bool hcct_frames_asked(void);
/* Does what the plan says, once a module. Returns whether anything was changed. A plan that cannot be read is
 * an error of the compiler. */
bool hcct_frames_resize(LLVMModuleRef module);

#endif
