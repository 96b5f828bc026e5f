/* A stack of the runtime's own, on which profiles are written. That takes more of one than there may be: a
 * handler's alternate stack has 8 KB, a thread's may have 16. And a search for lost blocks reads the
 * program's stack, where frames of the runtime would have old words between them.
 *
 * There is one, and one thread at a time is on it. Meanwhile that thread gets no signals, because a handler
 * with SA_ONSTACK would begin at the start of the alternate stack, where the frames of the thread's own
 * handler are. Faults come all the same: they cannot wait. */
#ifndef HCCT_RUNTIME_CORE_OWN_STACK_H
#define HCCT_RUNTIME_CORE_OWN_STACK_H

#include <stdbool.h>
#include <stdint.h>

/* Reserves it. Once, at start. */
void hcct_own_stack_start(void);
/* In a forked child. */
void hcct_own_stack_after_fork(void);
/* Calls function(value) on the runtime's own stack, and returns its result. While another thread is there,
 * waits up to `limit_ms`, and then calls it where it is; with 0 it returns false at once. In a sandbox, where
 * system calls may be fatal, it is called where it is. Async-signal-safe. */
bool hcct_own_stack_run(int limit_ms, bool (*function)(int value), int value);
/* The stack pointer with which the calling thread left the program's stack, and below which the program has
 * nothing; 0: the thread is on the program's stack. */
uintptr_t hcct_own_stack_left(void);

#endif
