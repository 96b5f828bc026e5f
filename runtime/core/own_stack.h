/* A stack of the runtime's own, on which profiles are written. Writing needs more stack than there may be: a
 * handler's alternate stack has 8 KB, a thread's may have 16. And a search for lost blocks reads the
 * program's stack. Frames of the runtime there would have old words of the program between their own.
 *
 * There is one such stack, and one thread at a time is on it. Meanwhile that thread gets no signals: a
 * handler with SA_ONSTACK would begin at the start of the alternate stack, where the frames of the thread's
 * own handler are. Faults come all the same, as they cannot wait. */
#ifndef HCCT_RUNTIME_CORE_OWN_STACK_H
#define HCCT_RUNTIME_CORE_OWN_STACK_H

#include <stdbool.h>
#include <stdint.h>

/* Reserves it. Once, at start. */
void hcct_own_stack_start(void);
/* In a forked child. */
void hcct_own_stack_after_fork(void);
/* Calls function(value) on the runtime's own stack, and returns its result. If another thread is on that
 * stack, waits up to `limit_ms`, and then calls the function on the caller's stack; so it does at once if
 * there was no memory for the stack. With `limit_ms` 0 it returns false in both cases. In a sandbox, where
 * system calls may be fatal, the function is called on the caller's stack. Async-signal-safe. */
bool hcct_own_stack_run(int limit_ms, bool (*function)(int value), int value);
/* The stack pointer with which the calling thread left the program's stack, and below which the program has
 * nothing; 0: the thread is on the program's stack. */
uintptr_t hcct_own_stack_left(void);

#endif
