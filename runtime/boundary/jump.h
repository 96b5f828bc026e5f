/* Jumps of uninstrumented code: control leaves stack frames without returning through them. (For jumps from
 * or to instrumented code, the pass emits calls of __hcct_jump and __hcct_arrive.)
 *
 * longjmp and its variants are interposed, and so is _Unwind_SetIP: a personality routine calls it to tell
 * the unwinder where to continue. This shows all handlers and cleanups, in any language: of exceptions,
 * pthread_exit and pthread_cancel. */
#ifndef HCCT_RUNTIME_BOUNDARY_JUMP_H
#define HCCT_RUNTIME_BOUNDARY_JUMP_H

#include <stdbool.h>

/* Looks up the C library's definitions of the interposed functions. */
void hcct_jump_start(void);
/* Whether all jumps and exceptions are seen. They are not in a program with a static unwinder. */
bool hcct_jumps_are_seen(void);

#endif
