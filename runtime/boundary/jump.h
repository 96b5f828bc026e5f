/* Control that leaves frames without returning through them, in code that is not instrumented: the pass takes
 * off what instrumented code leaves, and what arrives in it.
 *
 * longjmp and its kin are interposed, and _Unwind_SetIP, by which a personality routine says into which frame
 * the unwinder is about to go: handlers and cleanups of any language, of exceptions, pthread_exit and
 * pthread_cancel. */
#ifndef HCCT_RUNTIME_BOUNDARY_JUMP_H
#define HCCT_RUNTIME_BOUNDARY_JUMP_H

/* Looks up what stands behind the interposed functions. */
void hcct_jump_start(void);

#endif
